/** The rule that each play URL has at most one outcome, which matches its session. */
import type { StoredItem } from '../journal.ts';
import { idOfPlay } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { secretDayOf, seedOfOutcome, seedOfSession } from './server-seeds.ts';
import { type Change, outcomesOf, type Step } from './step.ts';

/** Returns the sessions that a write marks as played. */
const playedIn = (step: Step): Change[] =>
  step.of('session').filter(({ before, after }) => after?.played && !before?.played);

/** The write of a regular play's outcome marks one session as played. Outcome and session agree. */
const playedOnce: StepRule = {
  rule: 'a play URL is played once, as its page showed',
  start: (report) => (step) => {
    const outcomes = outcomesOf(step).filter(({ outcome }) => outcome.play_type === 'regular');
    for (const { before, after } of playedIn(step)) {
      const session = after!;
      const mine = outcomes.filter(({ outcome }) => outcome.id === idOfPlay(session));
      if (!before || mine.length !== 1) report(`${session.pk} is played with ${mine.length} outcomes`);
      else if (!isPlayOf(session, mine[0]!.outcome))
        report(`${session.pk}: ${mine[0]!.outcome.id} does not match it`);
      else if (session.played.balance !== mine[0]!.user.user?.after?.balances.tickets)
        report(`${session.pk} keeps a balance of ${session.played.balance}`);
    }
    if (outcomes.length !== playedIn(step).length)
      report(
        `${outcomes.length} regular outcomes, and ${playedIn(step).length} play URLs, by ${step.writer}`,
      );
  },
};

const shared = ['organization_id', 'user_id', 'game', 'cost', 'prize_table_version', 'debug'];

const isPlayOf = (session: StoredItem, outcome: StoredItem) =>
  shared.every((field) => session[field] === outcome[field]) &&
  outcome.spin_index === 0 &&
  seedOfOutcome(outcome) === seedOfSession(session) &&
  outcome.secret_day === secretDayOf(session) &&
  session.played.server_seed === seedOfOutcome(outcome);

export const playRules = [playedOnce];
