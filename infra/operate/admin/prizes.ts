import * as z from 'zod/mini';
import type { ClaimRecord } from '../../../shared/accounts/records.ts';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { changeSettings } from '../../../shared/actions/change-settings.ts';
import { previewClaimStep, recordClaimStep } from '../../../shared/actions/step-prize.ts';
import { claimStep } from '../../../shared/api/schemas.ts';
import { validate } from '../../../shared/api/validate.ts';
import { readDrawings } from '../../../shared/drawings/drawings.ts';
import { countsAsWin } from '../../../shared/games/prizes.ts';
import { type Claim, type ClaimStep, isOwed } from '../../../shared/prizes/claim-steps.ts';
import { claimOf, lastStepByPrize } from '../../../shared/prizes/claims.ts';
import { drawnPrizesIn, type WonPrize } from '../../../shared/prizes/won-prize.ts';
import { type PrizeKind, prizeKinds } from '../../../shared/vocabulary.ts';
import { BadUsage, parseInteger } from '../../common/arguments.ts';
import { readSettings } from './organization.ts';
import { forEachOutcome, readWin, type TableCache } from './report/outcomes.ts';
import { readRecordsBetween, type TimeRange } from './report/records.ts';
import { withReferences } from './report/with-references.ts';

export const allTime: TimeRange = { begins: 0, ends: Date.parse('9999-12-31') };

/** Returns the last step of each prize between two times, by the prize's id. */
export async function readLastClaimStepsBetween(organizationId: string, bounds: TimeRange) {
  const records: ClaimRecord[] = [];
  for await (const record of readRecordsBetween(organizationId, ['claims'], bounds)) records.push(record);
  return lastStepByPrize(records.sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1)));
}

export type FoundPrize = { won: WonPrize; claim: Claim };

/** Returns the prizes that drawings gave between two times, with their states at `until`. */
export async function readDrawnPrizes(
  organizationId: string,
  { begins, ends }: TimeRange,
  until = allTime.ends,
  withTests = false,
): Promise<FoundPrize[]> {
  const drawings = (await readDrawings(organizationId)).filter(({ terms }) => withTests || !terms.is_test);
  const all = drawings.flatMap(drawnPrizesIn);
  const won = all.filter(({ won_at }) => Date.parse(won_at) >= begins && Date.parse(won_at) < ends);
  if (won.length === 0) return [];
  const steps = await readLastClaimStepsBetween(organizationId, { begins, ends: until });
  return won.map((one) => ({ won: one, claim: claimOf(one, steps.get(one.prize_id), until) }));
}

/** Returns the prizes won between two times, without tickets and entries, with their states at `until`. */
export async function readPrizesBetween(
  organizationId: string,
  bounds: TimeRange,
  until = allTime.ends,
  withTests = false,
): Promise<FoundPrize[]> {
  const steps = await readLastClaimStepsBetween(organizationId, { begins: bounds.begins, ends: until });
  const tables: TableCache = new Map();
  const found: FoundPrize[] = [];
  await forEachOutcome(organizationId, bounds, async (outcome) => {
    const won = await readWin(outcome, tables);
    if (won) found.push({ won, claim: claimOf(won, steps.get(won.prize_id)) });
  });
  found.push(...(await readDrawnPrizes(organizationId, bounds, until, withTests)));
  const orderOf = ({ won }: FoundPrize) => `${won.won_at} ${won.prize_id}`;
  return found.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const listed = ['owed', 'open', 'held', 'delivered', 'forfeited', 'untracked', 'all'] as const;
const maxListed = 10_000;

/** Lists prizes, open ones first, then oldest first. */
export async function listPrizes(
  organizationId: string,
  { state = 'owed', limit = '1000' }: { state?: string | undefined; limit?: string | undefined },
) {
  if (!listed.some((one) => one === state))
    throw new BadUsage(`--state must be one of ${listed.join(', ')}, but is "${state}".`);
  const max = parseInteger('--limit', limit, [1, maxListed]);
  const found = (await readPrizesBetween(organizationId, allTime, allTime.ends, true)).filter(
    ({ claim }) => state === 'all' || claim.state === state || (state === 'owed' && isOwed(claim)),
  );
  const ordered = found.sort((a, b) => Number(isOwed(b.claim)) - Number(isOwed(a.claim)));
  const rows = ordered.slice(0, max).map(({ won, claim }) => {
    const { prize_id, user_id, value_usd, won_at, claim_by } = won;
    return { prize_id, user_id, ...kindAndAmountOf(won), value_usd, won_at, claim_by, ...claim };
  });
  return { total: found.length, prizes: await withReferences(organizationId, rows) };
}

/** A prize of a drawing has its label as its kind. */
export function kindAndAmountOf({ prize }: Pick<WonPrize, 'prize'>): { prize: string; amount: number } {
  const [kind, amount] = Object.entries(prize)[0]!;
  return typeof amount === 'number' ? { prize: kind, amount } : { prize: amount, amount: 1 };
}

const stepTyped = z.object(claimStep);

/** Records a step with the operator's reason, or only shows it. Throws the refusals of `findPrize`. */
export async function stepPrizeAsOperator(
  organizationId: string,
  prizeId: string,
  typed: { [field in keyof ClaimStep]?: string | undefined },
  { operator, now, why: reason }: ActionContext,
  { isDry, isCorrection = false }: { isDry?: boolean | undefined; isCorrection?: boolean } = {},
) {
  const step = validate(stepTyped, { ...typed, reason });
  const request = { organizationId, prizeId, step, operator, byOperator: true as const, isCorrection, now };
  return isDry ? { dry_run: true, ...(await previewClaimStep(request)) } : recordClaimStep(request);
}

export async function trackPrizes(
  organizationId: string,
  {
    kinds,
    days,
    isDry,
  }: { kinds?: string | undefined; days?: string | undefined; isDry?: boolean | undefined },
  context: ActionContext,
) {
  const changes = {
    ...(kinds !== undefined && { tracked_prizes: kindsTyped(kinds) }),
    ...(days !== undefined && {
      claim_days: days === 'none' ? 0 : parseInteger('--claim-days', days, [1, 3650]),
    }),
  };
  if (!isDry) await changeSettings(organizationId, changes, context);
  const { tracked_prizes, claim_days } = { ...(await readSettings(organizationId)), ...changes };
  const tracked = tracked_prizes.split(' ').filter(Boolean);
  return { dry_run: isDry, tracked_prizes: tracked, claim_days: claim_days || 'none' };
}

const trackable: readonly PrizeKind[] = prizeKinds.filter(countsAsWin);

function kindsTyped(typed: string): string {
  if (typed === 'none') return '';
  const kinds = typed === 'all' ? trackable : typed.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !trackable.some((one) => one === kind));
  if (unknown !== undefined)
    throw new BadUsage(`--kinds has "${unknown}". Choose from: ${trackable.join(', ')}.`);
  return trackable.filter((kind) => kinds.includes(kind)).join(' ');
}
