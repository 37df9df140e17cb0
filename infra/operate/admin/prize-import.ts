/** Imports steps of prizes from a CSV file: checks every line first, and applies all lines or none. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import {
  type ClaimStepRequest,
  previewClaimStep,
  recordClaimStep,
} from '../../../shared/actions/step-prize.ts';
import { claimStep, prizeId } from '../../../shared/api/schemas.ts';
import { validate } from '../../../shared/api/validate.ts';
import { isId, timeOfUlid, ulidOf } from '../../../shared/ids.ts';
import { concurrently } from '../../../shared/promises.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import { BadUsage } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { parseCsv } from './csv-rows.ts';
import { readPrizesBetween } from './prizes.ts';

const line = z.object({ prize_id: prizeId, ...claimStep });
const columns = Object.keys(line.shape);
const maxLines = 100_000;
const maxFaults = 100;
const linesAtOnce = 8;

/** With `isDry`, only checks. Throws a Problem that names the wrong lines, before anything is changed. */
export async function importPrizes(
  organizationId: string,
  file: string,
  isDry: boolean,
  context: ActionContext,
) {
  const rows = await readLines(file);
  // Reads prizes of games in bulk, because a single one takes a query of each shard.
  const times = rows.flatMap(({ prize_id: id = '' }) => (isId('out', id) ? timeOfUlid(ulidOf(id)) : []));
  const ends = Math.max(0, ...times) + 1;
  const found = await readPrizesBetween(organizationId, { begins: Math.min(ends, ...times), ends });
  const wonById = new Map(found.map(({ won }) => [won.prize_id, won]));
  const steps: ClaimStepRequest[] = [];
  const faults: { line: number; fault: string }[] = [];
  const lineOfPrize = new Map<string, number>();
  await concurrently(linesAtOnce, [...rows.entries()], async ([index, row]) => {
    // Line 1 names the columns.
    const number = index + 2;
    try {
      const { prize_id: prizeId, ...step } = validate(line, { reason: context.why, ...row });
      const other = lineOfPrize.get(prizeId);
      if (other !== undefined) throw refusals.invalid(`prize_id: Line ${other} has this prize too`);
      lineOfPrize.set(prizeId, number);
      const won = wonById.get(prizeId);
      const request = { ...context, organizationId, prizeId, won, step, byOperator: true as const };
      if ((await previewClaimStep(request)).would_change) steps.push(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push({ line: number, fault: error.message });
    }
  });
  faults.sort((a, b) => a.line - b.line);
  const unchanged = rows.length - steps.length - faults.length;
  const result = { lines: rows.length, steps: steps.length, unchanged };
  if (isDry) return { dry_run: true, ...result, wrong: faults.length, faults: faults.slice(0, maxFaults) };
  if (faults.length > 0) {
    const shown = faults.slice(0, maxFaults).map(({ line, fault }) => `line ${line}: ${fault}`);
    throw new Problem(`${faults.length} lines are wrong, so nothing was changed.\n${shown.join('\n')}`);
  }
  // If this command is interrupted, the same file can be imported again: a repeated step changes nothing.
  await concurrently(linesAtOnce, steps, recordClaimStep);
  return result;
}

/** Leaves out empty cells. */
async function readLines(file: string): Promise<Record<string, string>[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Problem(`${file} can't be read: ${error.message}`);
  });
  const [head = [], ...rows] = parseCsv(text);
  if (!head.includes('prize_id') || !head.includes('state'))
    throw new BadUsage(`The first line of ${file} must name the columns: ${columns.join(', ')}.`);
  if (rows.length > maxLines) throw new BadUsage(`${file} has more than ${maxLines} lines.`);
  return rows.map((cells) =>
    Object.fromEntries(cells.flatMap((cell, index) => (cell && head[index] ? [[head[index], cell]] : []))),
  );
}
