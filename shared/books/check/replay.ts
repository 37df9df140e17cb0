/** Replays records: the service's own rules decide each record again, and the result must equal the record. */
import { requireActive } from '../../accounts/active.ts';
import { decidePosting, type Posting } from '../../accounts/post.ts';
import type { NewRecord } from '../../accounts/records.ts';
import type { User } from '../../accounts/user.ts';
import { decideOrder, promiseOf } from '../../amoe/place-order.ts';
import { freeSpins, requireNoHold } from '../../games/holds.ts';
import type { Settings } from '../../games/settings.ts';
import { timeOfUlid } from '../../ids.ts';
import { Refusal } from '../../refusals.ts';
import { authorizerTtlSeconds } from '../../stage.ts';
import { addDays } from '../../time.ts';
import { adjustmentDescription, type Pausable } from '../../vocabulary.ts';
import type { OrderLeaf, PostingLeaf } from '../leaves.ts';
import type { Checking, UserState } from './day.ts';
import type { Code } from './findings.ts';
import { heldUser } from './holds.ts';
import { beginningOf, settingsAt, settingsBetween, toleranceMs } from './in-force.ts';
import { accountOfLeaf, type Difference, differencesOf, type FieldCodes } from './user-state.ts';

/** The result of deciding a record again: the user afterwards, and the differences from the record in the book. */
export type Replay = { user: User; differences: Difference[] };
/** Decides a record again under given settings, as if its request came at the time `now`. */
export type Decide<R extends Replay = Replay> = (user: User, settings: Settings, now: number) => R;

/**
 * Decides a record again under each of the settings that may have been in force since `earliest`. Reports the result
 * with the fewest differences, except those of the drawn prize (`isOfDraw`).
 */
export function replay<R extends Replay>(
  checking: Checking,
  { replayed }: UserState,
  at: number,
  decide: Decide<R>,
  earliest = at - toleranceMs,
): R {
  const { timeline, holds, start, whole, gaplessSince } = checking.day;
  // Before an organization's first day, nothing could be requested.
  const since = whole ? Math.max(earliest, gaplessSince) : earliest;
  const { all, isKnown } = settingsBetween(timeline, since, at + toleranceMs);
  if (all.length === 0) {
    checking.report.finding('record_not_by_rules', 'The organization was not open yet.');
    all.push(settingsAt(timeline, at));
  }
  const user = heldUser(holds, replayed.user, at);
  let best: R | undefined;
  for (const now of timesOf(at, since, replayed.user, start)) {
    for (const settings of all) {
      const decided = decide(user, settings as Settings, now);
      if (!best || decided.differences.length < best.differences.length) best = decided;
      if (best.differences.length === 0) break;
    }
    if (best?.differences.length === 0) break;
  }
  const found = best!;
  if (found.differences.length > 0) {
    reportAll(
      checking,
      found.differences.filter((one) => !isOfDraw(one)),
      isKnown,
    );
  }
  // Removes `frozen` and `erased_at`, which `heldUser` set for this record only.
  return user === replayed.user ? found : { ...found, user: { ...found.user, ...notHeld } };
}
const notHeld: Partial<User> = { frozen: undefined!, erased_at: undefined! };

/**
 * Returns whether a difference concerns the drawn prize. `replay` ignores such a difference; `redrawAsRecorded` reports
 * it.
 */
export const isOfDraw = ({ field, code }: Difference): boolean =>
  ['prize_id', 'prize', 'game_status'].includes(field) || (code === 'limits_differ' && field !== noPrize);

/** Stands for a field in the difference of a draw for which no prize was available, so that nothing was compared. */
export const noPrize = 'no prize';

/**
 * Returns the possible times of a record's request, which decide its day and its hour. A record has its request's time,
 * unless the user's previous record, by a fast clock, is later: then it has the time of that record.
 */
function timesOf(at: number, earliest: number, { last_ulid }: User, startOfDay: number): number[] {
  const before = Math.max(at - toleranceMs, earliest);
  const hourOf = (time: number) => Math.floor((time - startOfDay) / 3_600_000);
  if (hourOf(before) === hourOf(at)) return [at];
  // An unknown previous record is in a missing book, so it is of an earlier day.
  const previousAt = last_ulid === undefined ? 0 : timeOfUlid(last_ulid);
  return previousAt < at ? [at] : [at, before];
}

/** Codes of findings that depend on settings. If the books lack the settings, a notice replaces these findings. */
const bySettings = new Set<Code>([
  'record_on_hold',
  'plays_over_limit',
  'limit_not_in_force',
  'table_not_in_force',
  'beacon_not_mixed_in',
]);

/** Reports the differences of a record, once per code. Skips altered and inserted records, which `follow` reports. */
export function reportAll(
  { report, isGenuine }: Checking,
  differences: readonly Difference[],
  isKnown = true,
): void {
  if (differences.length === 0 || !isGenuine) return;
  const sentences = new Map(differences.toReversed().map(({ code, sentence }) => [code, sentence]));
  const unknown = isKnown ? [] : [...sentences.keys()].filter((code) => bySettings.has(code));
  for (const code of unknown) sentences.delete(code);
  for (const [code, sentence] of [...sentences].reverse()) report.finding(code, sentence);
  if (unknown.length > 0)
    report.notice('settings_unknown', 'The record could not be compared with its settings.');
}

const codeOfRefusal: Record<string, Code> = {
  organization_suspended: 'record_on_hold',
  user_frozen: 'record_on_hold',
  game_paused: 'record_on_hold',
  user_not_found: 'record_on_hold',
  daily_spin_limit_reached: 'plays_over_limit',
  insufficient_tickets: 'balance_differs',
  insufficient_entries: 'balance_differs',
};

/** Runs a rule. If the rule refuses what the record states, returns the refusal as a difference. */
export function refusedBy(rule: () => void): Difference[] {
  try {
    rule();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const code = codeOfRefusal[error.code] ?? 'record_not_by_rules';
    return [{ field: '', code, sentence: `The rules refuse it: ${error.message}.` }];
  }
}

/** Throws a refusal if a hold on the user, the organization or a needed feature blocks a request. */
export function requireAllowed(user: User, settings: Settings, needed: readonly Pausable[]): void {
  requireActive(user);
  requireNoHold(settings, needed, user);
}

/** Adds a notice about an order whose effective date is before the order's day or after the day its spins are due. */
function noticeDate({ day, report }: Checking, { result_effective_date: date, due_day }: OrderLeaf) {
  const at = Date.parse(date);
  // Each different sentence is listed, and a host can choose the dates of all orders. So omits the order's time, and
  // names only the year of later dates, which can be up to 9999. Names UTC dates, because New York time is slow.
  if (at < day.start)
    report.notice('counted_on_another_day', `Orders counted on ${date.slice(0, 10)} (UTC).`);
  else if (at >= beginningOf(addDays(due_day, 1)))
    report.notice('counted_on_another_day', `Orders counted in ${date.slice(0, 4)}, after their spins’ day.`);
}

/** Replays a transaction. `given` is an outcome's expected transaction, or the request of a host or operator. */
export function replayPosting(
  checking: Checking,
  state: UserState,
  leaf: PostingLeaf,
  at: number,
  given: Posting = postingOf(leaf),
): User {
  const { texts } = leaf;
  const isHosts = texts !== undefined;
  const decide: Decide = (user, settings, now) => {
    let after = user;
    const differences = refusedBy(() => {
      if (isHosts) requireAllowed(user, settings, []);
      else if (leaf.operation_id) requireActive(user, { byOperator: true });
    });
    const refused = refusedBy(() => {
      const { user: posted, fields } = decidePosting(user, given, now);
      after = posted;
      const all = isHosts ? { ...fields, description: undefined, texts } : fields;
      differences.push(...differencesOf(posted, all as NewRecord, leaf));
    });
    return { user: after, differences: [...differences, ...refused] };
  };
  // After a suspension, API Gateway still accepts hosts' requests until the authorizer results in its cache expire.
  const cachedMs = isHosts ? authorizerTtlSeconds * 1000 : 0;
  return replay(checking, state, at, decide, at - toleranceMs - cachedMs).user;
}

/** Restores the request for a transaction from its record. */
function postingOf(leaf: PostingLeaf): Posting {
  const { amount, description = '', outcome_id, operation_id, result_effective_date } = leaf;
  return {
    account: accountOfLeaf(leaf),
    amount,
    description: operation_id ? adjustmentDescription : description,
    ...(outcome_id ? { outcome_id, result_effective_date } : {}),
    ...(operation_id ? { operation_id } : {}),
  };
}

/**
 * Replays an order. Takes the host's choices from the record: the number of spins, the effective date and the
 * texts.
 */
export function replayOrder(checking: Checking, state: UserState, leaf: OrderLeaf, at: number): User {
  const { num_of_spins, run, texts } = leaf;
  const result_effective_date = Date.parse(leaf.result_effective_date);
  const asked = { num_of_spins, result_effective_date, idempotency_key: '' };
  const decide: Decide = (user, settings, now) => {
    const refused = refusedBy(() => requireAllowed(user, settings, freeSpins));
    const { user: after, fields } = decideOrder(user, { asked, now }, promiseOf(user, run, settings, now));
    const all = { ...fields, idempotency_key: undefined, texts } as unknown as NewRecord;
    return { user: after, differences: [...refused, ...differencesOf(after, all, leaf, codesOfOrder)] };
  };
  noticeDate(checking, leaf);
  const { user, differences } = replay(checking, state, at, decide);
  if (run === 'queued' && !leaf.beacon && differences.length === 0)
    checking.report.notice('no_beacon', `${num_of_spins} spins were queued.`);
  return user;
}

const codesOfOrder: FieldCodes = {
  beacon: (expected, found, leaf) =>
    found !== undefined && expected === undefined && (leaf as OrderLeaf).run === 'at_once'
      ? 'beacon_not_promised'
      : 'beacon_not_mixed_in',
};
