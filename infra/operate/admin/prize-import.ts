/** Imports steps of prizes from a CSV file: checks every line first, and applies all lines or none. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { recordClaimStep } from '../../../shared/actions/step-prize.ts';
import { claimStep, prizeId } from '../../../shared/api/schemas.ts';
import { validate } from '../../../shared/api/validate.ts';
import { isId, timeOfUlid, ulidOf } from '../../../shared/ids.ts';
import { type Claim, type ClaimStep, completedStep, isNewStep } from '../../../shared/prizes/claim-steps.ts';
import { concurrently } from '../../../shared/promises.ts';
import { Refusal } from '../../../shared/refusals.ts';
import { BadUsage } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { parseCsv } from './csv-rows.ts';
import { allTime, type FoundPrize, readDrawnPrizes, readPrizesBetween } from './prizes.ts';

const line = z.object({ prize_id: prizeId, ...claimStep });
const columns = Object.keys(line.shape);
const maxLines = 100_000;
const maxFaults = 100;
const stepsAtOnce = 8;

type Line = { number: number; prizeId: string; step: ClaimStep; isNew: boolean };
type Row = { [column: string]: string | undefined };
type Fault = { line: number; fault: string };

/** With `isDry`, only checks. Throws a Problem that names the wrong lines, before anything is changed. */
export async function importPrizes(
  organizationId: string,
  file: string,
  isDry: boolean,
  { operator, now, why }: ActionContext,
) {
  const rows = (await readLines(file)).map((row) => ({ ...row, reason: row.reason || why }));
  const { lines, faults } = await checkLines(organizationId, rows, now);
  const steps = lines.filter(({ isNew }) => isNew);
  const result = {
    lines: lines.length + faults.length,
    steps: steps.length,
    unchanged: lines.length - steps.length,
  };
  if (isDry) return { dry_run: true, ...result, wrong: faults.length, faults: faults.slice(0, maxFaults) };
  if (faults.length > 0) {
    const shown = faults.slice(0, maxFaults).map(({ line, fault }) => `line ${line}: ${fault}`);
    throw new Problem(`${faults.length} lines are wrong, so nothing was changed.\n${shown.join('\n')}`);
  }
  // If this command is interrupted, the same file can be imported again: a repeated step changes nothing.
  await concurrently(stepsAtOnce, steps, async ({ prizeId, step }) => {
    await recordClaimStep({ organizationId, prizeId, step, operator, byOperator: true, now });
  });
  return result;
}

async function readLines(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Problem(`${file} can't be read: ${error.message}`);
  });
  const [head = [], ...rows] = parseCsv(text);
  if (!head.includes('prize_id') || !head.includes('state'))
    throw new BadUsage(`The first line of ${file} must name the columns: ${columns.join(', ')}.`);
  if (rows.length > maxLines) throw new BadUsage(`${file} has more than ${maxLines} lines.`);
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
}

async function checkLines(organizationId: string, rows: Row[], now: number) {
  const times = rows.flatMap(({ prize_id = '' }) =>
    isId('out', prize_id) ? [timeOfUlid(ulidOf(prize_id))] : [],
  );
  const [begins, ends] = [Math.min(...times, now), Math.max(...times, 0) + 1];
  const found = times.length > 0 ? await readPrizesBetween(organizationId, { begins, ends }) : [];
  const prizes = new Map(found.map((one) => [one.won.prize_id, one]));
  if (rows.some(({ prize_id }) => prize_id?.startsWith('drw_')))
    for (const one of await readDrawnPrizes(organizationId, allTime)) prizes.set(one.won.prize_id, one);
  const lines: Line[] = [];
  const faults: Fault[] = [];
  for (const [index, row] of rows.entries()) {
    // Line 1 names the columns.
    const number = index + 2;
    try {
      lines.push({ number, ...lineOf(row, prizes, now) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push({ line: number, fault: error.message });
    }
  }
  return { lines, faults };
}

/** Checks a line, and updates its prize for later lines. Throws a Refusal for a wrong line. */
function lineOf(row: Row, prizes: Map<string, FoundPrize>, now: number): Omit<Line, 'number'> {
  const typed = Object.fromEntries(columns.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));
  const { prize_id, ...asked } = validate(line, typed);
  const prize = prizes.get(prize_id);
  if (!prize) throw new Refusal(404, 'prize_not_found', `there is no prize ${prize_id}`);
  const step = completedStep(asked, prize.won.won_at, now);
  const isNew = isNewStep(prize.claim, step, false);
  if (isNew) prize.claim = { ...step, state_at: prize.claim.state_at } satisfies Claim;
  return { prizeId: prize_id, step, isNew };
}
