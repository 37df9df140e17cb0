/** Finds operators' actions in a records file. Other records are checked against the settings from these actions. */
import { isUtf8 } from 'node:buffer';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import type { Operation } from '../check/operations.ts';
import { parseLeaf } from '../leaves.ts';
import type { RecordsFile } from './book-files.ts';
import { type Chunk, readChunks } from './chunks.ts';

// Only records of operators' actions contain these bytes: inside texts, JSON escapes the quotation marks.
const kindOfOperations = Buffer.from('"kind":"operations"');

/**
 * Returns operators' actions in a records file. `maxLines` is the number of records in its book. Skips invalid lines,
 * which a later check reports.
 */
export async function operationsIn({ path, next }: RecordsFile, maxLines: number): Promise<Operation[]> {
  const found: Operation[] = [];
  for await (const chunk of readChunks(path, next, maxLines)) found.push(...operationsOf(chunk));
  return found;
}

function operationsOf({ bytes, ends, first }: Chunk): Operation[] {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const next = (from: number) => chunk.indexOf(kindOfOperations, from);
  const found: Operation[] = [];
  let line = 0;
  for (let mark = next(0); mark >= 0; mark = next(ends[line]!)) {
    while (ends[line]! < mark) line++;
    const bytes = chunk.subarray(line === 0 ? 0 : ends[line - 1]! + 1, ends[line]);
    const text = isUtf8(bytes) ? bytes.toString() : '';
    const leaf = parseLeaf(text);
    if (leaf?.kind !== 'operations') continue;
    found.push({ leaf, text, line: first + line, at: timeOfUlid(ulidOf(leaf.operation_id)) });
  }
  return found;
}
