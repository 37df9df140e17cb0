/** Rules of play URLs and of the count of a user's daily plays. */
import type { StoredItem } from '../journal.ts';
import { daysBetween, startOf, timeIn, ulidIn } from './days-and-ulids.ts';
import { commitmentOf, isSame } from './hashes.ts';
import { idOfPlay } from './item-types.ts';
import type { Allowances, StepRule } from './rule.ts';
import { secretDayOf, seedOfOutcome, seedOfSession } from './server-seeds.ts';
import { costOf, spinLimitOf, tableVersionOf, trackOrganizations } from './settings.ts';
import { type Change, outcomesOf, type Step } from './step.ts';

const lifetimeMs = 30 * 60_000;

/** Returns the sessions that a write marks as played. */
const playedIn = (step: Step): Change[] =>
  step.of('session').filter(({ before, after }) => after?.played && !before?.played);

/**
 * Returns the earliest and latest arrival of an outcome's request in epoch milliseconds. The id's time is the
 * latest.
 */
function arrivalOf(outcome: StoredItem, { clockErrorMs, requestMs }: Allowances): [number, number] {
  const time = timeIn(ulidIn(outcome.id));
  return [time - requestMs - clockErrorMs, time];
}

/** The write of a regular play's outcome marks one session as played. Outcome and session agree. */
export const playedOnce: StepRule = {
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

/**
 * A play URL is played within 30 minutes. The outcome's effective date is that day's midnight in New York.
 */
export const playedInTime: StepRule = {
  rule: 'a play URL is played within 30 minutes',
  start: (report, allowances) => (step) => {
    for (const { before, after } of playedIn(step)) {
      const played = outcomesOf(step).find(({ outcome }) => outcome.id === idOfPlay(after!));
      if (!before || !played) continue;
      const { outcome, user } = played;
      const [from, to] = arrivalOf(outcome, allowances);
      // The request may have arrived before the id's time if the previous id has the same time.
      const last = user.user?.before?.last_ulid;
      const arrived = last === undefined || timeIn(last) < to ? to : from;
      if (arrived >= Date.parse(before.expires_at)) report(`${after!.pk} expired at ${before.expires_at}`);
      const starts = daysBetween(from, to).map((day) => new Date(startOf(day)).toISOString());
      if (!starts.includes(outcome.result_effective_date))
        report(`${outcome.id} is attributed to ${outcome.result_effective_date}`);
    }
  },
};

/** The user's item counts the regular plays of a New York day, up to the daily limit. */
export const countedPlays: StepRule = {
  rule: 'plays are counted by day, within the limit',
  start(report, allowances) {
    const { recent, see } = trackOrganizations(allowances);
    return (step) => {
      for (const { pk, user, records } of step.users) {
        if (!user?.before || !user.after) continue;
        const { plays: before } = user.before;
        const { plays: after, organization_id } = user.after;
        const counted = records.filter(
          ({ play_type, debug }) => play_type === 'regular' && debug !== 'jackpot',
        );
        const [outcome] = counted;
        if (!outcome) {
          if (!isSame(before, after)) report(`${pk} counts ${JSON.stringify(after)} without a play`);
          continue;
        }
        const count = (after.day === before.day ? before.count : 0) + counted.length;
        const days = daysBetween(...arrivalOf(outcome, allowances));
        if (after.count !== count || after.day < before.day || !days.includes(after.day))
          report(`${pk} goes from ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
        const limits = recent(organization_id, step.at).map(spinLimitOf);
        if (!limits.some((limit) => after.count <= limit))
          report(`${pk} has ${after.count} plays, but the limit is one of ${limits}`);
      }
      see(step);
    };
  },
};

/**
 * A new play URL is valid for 30 minutes and has the organization's current cost and prize table. A debug
 * jackpot is free.
 */
export const newPlayUrls: StepRule = {
  rule: 'a play URL has its organization’s cost and prize table',
  start(report, allowances) {
    const { recent, see } = trackOrganizations(allowances);
    return (step) => {
      for (const { before, after: session } of step.of('session')) {
        if (!session || before) continue;
        const { organization_id, game, cost, prize_table_version, debug, expires_at, date_created } = session;
        const fits = recent(organization_id, step.at).some(
          (organization) =>
            cost === (debug === 'jackpot' ? 0 : costOf(organization, game)) &&
            prize_table_version === tableVersionOf(organization, game),
        );
        if (!fits) report(`${session.pk} costs ${cost}, with ${prize_table_version}`);
        if (Date.parse(expires_at) - Date.parse(date_created) !== lifetimeMs)
          report(`${session.pk} expires at ${expires_at}`);
        if (session.commitment !== commitmentOf(seedOfSession(session)))
          report(`${session.pk} has a wrong commitment`);
      }
      see(step);
    };
  },
};

export const playRules = [playedOnce, playedInTime, countedPlays, newPlayUrls];
