/** Checks a world's final state, after everything is drained. */
import type { Journal, StoredItem } from '../journal.ts';
import { answerRules } from './end/answers.ts';
import { bookRules } from './end/books.ts';
import { boundRules } from './end/bounds.ts';
import { callRules } from './end/calls.ts';
import { erasedRules } from './end/erased.ts';
import { eventRules } from './end/events.ts';
import { figureRules } from './end/figures.ts';
import { historyRules } from './end/histories.ts';
import { holdRules } from './end/holds.ts';
import { invocationRules } from './end/invocations.ts';
import { keyRules } from './end/keys.ts';
import { operatorRules } from './end/operators.ts';
import { orderRules } from './end/orders.ts';
import { payoutRules } from './end/payouts.ts';
import { playUrlRules } from './end/play-urls.ts';
import { readRules } from './end/reads.ts';
import { reportRules } from './end/reports.ts';
import { roundRules } from './end/rounds.ts';
import { rowIndexRules } from './end/row-index.ts';
import { secretRules } from './end/secrets.ts';
import { tenantRules } from './end/tenants.ts';
import { userRules } from './end/users.ts';
import { webhookReadRules } from './end/webhook-reads.ts';
import { type EndRule, readWorld } from './end/world.ts';
import { type Allowances, lookAt, usualAllowances, type Violation } from './rule.ts';

/** All rules that are checked at the end. */
export const endRules: EndRule[] = [
  ...historyRules,
  ...keyRules,
  ...userRules,
  ...tenantRules,
  ...readRules,
  ...playUrlRules,
  ...orderRules,
  ...holdRules,
  ...webhookReadRules,
  ...eventRules,
  ...callRules,
  ...invocationRules,
  ...answerRules,
  ...boundRules,
  ...operatorRules,
  ...payoutRules,
  ...rowIndexRules,
  ...reportRules,
  ...figureRules,
  ...roundRules,
  ...bookRules,
  ...secretRules,
];

/** Rules that need the table as it is. The others see erased texts restored. */
const rawRules: EndRule[] = erasedRules;

/** The final table and the journal. */
type Seen = { items: Iterable<StoredItem>; journal: Journal };
/**
 * The same with the current time, with erased texts restored, and with the allowances that differ from the
 * usual ones.
 */
export type Ended = Seen & { now: number; restored?: Seen } & Partial<Allowances>;

/** Checks all final rules. Returns the violations. A rule that throws counts as violated. */
export function checkWorld(ended: Ended): Violation[] {
  const { restored = { items: ended.items, journal: ended.journal } } = ended;
  const world = readWorld({ ...usualAllowances, ...ended });
  const asWritten = readWorld({ ...usualAllowances, ...ended, ...restored });
  const violations: Violation[] = [];
  const hold = (rules: EndRule[], to: typeof world) => {
    for (const { rule, check } of rules) {
      const say = (detail: string) => violations.push({ rule, detail });
      lookAt(say, () => check(to, say));
    }
  };
  hold(endRules, asWritten);
  hold(rawRules, world);
  return violations;
}
