/** Checks that a book has exactly its records, and each user's are a chain without gap, fork or change. */
import { hash } from 'node:crypto';
import { canonicalJson, timeOfUlid, ulidOf } from '../../ids.ts';
import { isoOf } from '../../time.ts';
import type { MerkleTree } from '../../tree.ts';
import { leafKinds } from '../../vocabulary.ts';
import type { Book } from '../book.ts';
import { idOfLeaf, type Leaf } from '../leaves.ts';
import type { RecordSums } from '../sums.ts';
import type { ReadFault } from './files.ts';
import type { ReportFinding } from './findings.ts';
import type { BookDay, Link } from './state.ts';

export const leafSortKey = (leaf: Leaf): string => `${ulidOf(idOfLeaf(leaf))}${leafKinds.indexOf(leaf.kind)}`;

/** Reports a record of another day or organization, and one whose time differs from that of its id. */
export function checkDayAndOwner({ start, end, book }: BookDay, leaf: Leaf, report: ReportFinding): void {
  const at = timeOfUlid(ulidOf(idOfLeaf(leaf)));
  const { organization_id } = book.header;
  if (leaf.organization_id !== organization_id)
    report('records_differ', `The record belongs to ${leaf.organization_id}.`);
  if (at < start || at >= end) report('records_differ', `The record’s id has the time ${isoOf(at)}.`);
  const time = leaf.kind === 'outcomes' ? leaf.timestamp : leaf.date_created;
  if (leaf.date_created !== time || Date.parse(time) !== at)
    report('not_a_record', `The record’s time differs from the time in its id, ${isoOf(at)}.`);
}

const field = '"hash":"';
const fieldLength = `${field}${'x'.repeat(43)}",`.length;

/** Computes a record's hash, which does not cover `hash`. JSON escapes quotes, so text search finds this field. */
export function recordHashAfter(previous: string, line: string): string {
  const at = line.indexOf(field);
  return hash('sha256', `${previous}\n${line.slice(0, at)}${line.slice(at + fieldLength)}`, 'base64url');
}

/** Checks that a record follows `link`. The sequence -1 means that the record before is unknown. */
export function checkLink(link: Link, { sequence, hash }: Link, line: string, report: ReportFinding): Link {
  if (link.sequence >= 0) {
    if (sequence !== link.sequence + 1)
      report('history_broken', `Record number ${sequence} comes after number ${link.sequence}.`);
    else if (recordHashAfter(link.hash, line) !== hash)
      report('history_broken', `The hash of record number ${sequence} does not match its content.`);
  }
  return { sequence, hash };
}

const faults: Record<ReadFault, string> = {
  cut_off: 'The last line is incomplete.',
  too_large: 'A line is longer than any valid record.',
  too_many_lines: 'The file has far more lines than the book says.',
};

export function checkBookTotals(
  { header, root, size }: Book,
  tree: MerkleTree,
  { counts, sums }: RecordSums,
  fault: ReadFault | undefined,
  report: ReportFinding,
): void {
  if (fault) report('records_differ', faults[fault]);
  if (tree.size() !== size)
    report('records_differ', `The file has ${tree.size()} records; the book says ${size}.`);
  if (!tree.root().equals(root))
    report('records_differ', 'The Merkle root of the records differs from the one in the book.');
  for (const [name, found] of Object.entries({ counts, sums })) {
    const stated = canonicalJson(header[name as 'counts' | 'sums']);
    if (stated !== canonicalJson(found))
      report('sums_differ', `The book says ${stated}; its records add up to ${canonicalJson(found)}.`);
  }
}
