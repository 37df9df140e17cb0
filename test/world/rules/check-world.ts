/** Checks the rules of a world's final state, when all queues are empty and no work is pending. */
import type { Journal, StoredItem } from '../journal.ts';
import { answerRules } from './final/answers.ts';
import { bookRules } from './final/books.ts';
import { callRules } from './final/calls.ts';
import { erasedRules } from './final/erased-texts.ts';
import { eventListRules } from './final/event-lists.ts';
import { eventRules } from './final/events.ts';
import { type EndRule, readWorld } from './final/final-state.ts';
import { keyRules } from './final/idempotency.ts';
import { invocationRules } from './final/invocations.ts';
import { tenantRules } from './final/isolation.ts';
import { operatorRules } from './final/operators.ts';
import { orderRules } from './final/orders.ts';
import { playUrlRules } from './final/play-urls.ts';
import { readRules } from './final/reads.ts';
import { reportRules } from './final/reports.ts';
import { rowIndexRules } from './final/row-index.ts';
import { secretRules } from './final/secrets.ts';
import { userRules } from './final/users.ts';
import { type Allowances, runCheck, usualAllowances, type Violation } from './rule.ts';

/** Rules that check the final table and the API's responses, with erased texts restored. */
export const endRules: EndRule[] = [
  ...keyRules,
  ...userRules,
  ...tenantRules,
  ...readRules,
  ...playUrlRules,
  ...orderRules,
  ...eventRules,
  ...eventListRules,
  ...callRules,
  ...invocationRules,
  ...answerRules,
  ...operatorRules,
  ...rowIndexRules,
  ...reportRules,
  ...bookRules,
  ...secretRules,
];

/** Rules that check the stored table, in which erased texts are missing. */
export const storedTableRules: EndRule[] = erasedRules;

/** The final items of the table, and the journal of all requests and responses. */
type CheckedState = { items: Iterable<StoredItem>; journal: Journal };
/**
 * The final state to check. `now` is in epoch milliseconds; `restored` is the same state with erased texts
 * restored.
 */
export type Ended = CheckedState & { now: number; restored?: CheckedState } & Partial<Allowances>;

/** Checks all rules of the final state and returns the violations. A rule that throws counts as violated. */
export function checkWorld(ended: Ended): Violation[] {
  const { restored = { items: ended.items, journal: ended.journal } } = ended;
  const world = readWorld({ ...usualAllowances, ...ended });
  const asWritten = readWorld({ ...usualAllowances, ...ended, ...restored });
  const violations: Violation[] = [];
  const checkAll = (rules: EndRule[], to: typeof world) => {
    for (const { rule, check } of rules) {
      const report = (detail: string) => violations.push({ rule, detail });
      runCheck(report, () => check(to, report));
    }
  };
  checkAll(endRules, asWritten);
  checkAll(storedTableRules, world);
  return violations;
}
