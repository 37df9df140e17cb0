/** Rare states of the service. `npm run nightly` fails for a state that no simulated world reaches. */
import { type Call, type CallFault, isEffect } from './aws.ts';
import { faultNames } from './faults.ts';
import type { Commit, Journal, StoredItem } from './journal.ts';
import { dayAt, startOf, timeIn, ulidIn } from './rules/days-and-ulids.ts';
import { type ItemType, typeOf } from './rules/item-types.ts';

/** One changed item, with the write that changed it. */
export type Change = Commit['changes'][number] & { commit: Commit };
/** A state that is recognised from a change of an item of one type. */
export type ItemState = { of: ItemType; is: (change: Change) => boolean };

const minuteMs = 60_000;
const healthOf = (webhook: StoredItem): string => webhook.receiver?.state ?? 'well';
const isMove = (from: string, to: string): ItemState => ({
  of: 'webhook',
  is: ({ before, after }) => !!before && !!after && healthOf(before) === from && healthOf(after) === to,
});

/** The states of a receiver, as in `shared/webhooks/README.md`. */
const receiverMoves = Object.fromEntries(
  [
    ['well', 'failing'],
    ['failing', 'well'],
    ['failing', 'paused'],
    ['paused', 'resumed'],
    ['resumed', 'paused'],
    ['resumed', 'well'],
    ['paused', 'off'],
    ['off', 'paused'],
  ].map(([from, to]) => [`a receiver moves from ${from} to ${to}`, isMove(from!, to!)]),
);

const whilePaused = (is: (before: StoredItem, after: StoredItem | undefined) => boolean): ItemState => ({
  of: 'webhook',
  is: ({ before, after }) => !!before && healthOf(before) === 'paused' && is(before, after),
});

const webhookStates = {
  'the cursor of a paused webhook moves back': whilePaused(
    ({ receiver }, after) => after?.receiver?.missed_from < receiver.missed_from,
  ),
  'a paused webhook gets another URL': whilePaused(
    (before, after) => !!after && after.callback_url !== before.callback_url,
  ),
  'a paused webhook is deleted': whilePaused((_, after) => !after),
} satisfies Record<string, ItemState>;

const outcome = (is: (outcome: StoredItem, change: Change) => boolean): ItemState => ({
  of: 'record',
  is: (change) => !change.before && change.after?.kind === 'outcomes' && is(change.after, change),
});
const userIn = ({ commit }: Change) => commit.changes.find(({ after }) => after && typeOf(after) === 'user');
const timeOf = ({ id }: StoredItem) => timeIn(ulidIn(id));

const outcomeStates = {
  'a draw counts for the day before its own': outcome(({ budgets }) => budgets?.day !== undefined),
  'a slow clock meets wins of the new day': outcome(
    ({ budgets }, change) => budgets?.wins && userIn(change)?.before?.wins?.day > budgets.day,
  ),
  'a slow clock meets plays of the new day': outcome(
    ({ budgets, play_type }, change) =>
      play_type === 'regular' &&
      budgets?.day !== undefined &&
      userIn(change)?.before?.plays.day > budgets.day,
  ),
  'a win limit takes prizes out of a draw': outcome(
    ({ budgets }) => budgets?.wins && budgets.wins.granted >= budgets.wins.limit,
  ),
  'the cash of a day is used up': outcome(
    ({ budgets }) => budgets?.cash.limit > 0 && budgets.cash.granted >= budgets.cash.limit,
  ),
  'a stock is used up': outcome(({ budgets }) => budgets?.stock?.out?.length > 0),
  'a queued spin runs a day late': outcome(
    (record, { commit }) =>
      record.play_type === 'amoe' &&
      commit.changes.some(
        ({ before }) => before?.remaining && dayAt(timeOf(record)) > before.sk.slice(0, 10),
      ),
  ),
  'an order needs a second transaction': outcome(({ order_id, spin_index }) => order_id && spin_index >= 30),
  'a play URL is played on the day after its creation': outcome(
    (record) => record.play_type === 'regular' && dayAt(timeOf(record)) > record.secret_day,
  ),
  'a record is written on the day after its time': outcome(
    (record, { commit }) => dayAt(commit.at) > dayAt(timeOf(record)),
  ),
} satisfies Record<string, ItemState>;

const operation = (is: (operation: StoredItem, at: number) => boolean): ItemState => ({
  of: 'operation',
  is: ({ before, after, commit }) => !before && !!after && is(after, commit.at),
});
const isDuring = (ms: number, at: number) => at - startOf(dayAt(at)) < ms;

const operationStates = {
  'a scheduled change is made': operation(
    ({ operator, action }) => operator === 'schedule' && action === 'changed',
  ),
  'settings change within five minutes after midnight': operation(
    ({ action }, at) => action === 'changed' && isDuring(5 * minuteMs, at),
  ),
} satisfies Record<string, ItemState>;

const otherStates = {
  'a user with queued spins is frozen': {
    of: 'user',
    is: ({ before, after }) => !before?.frozen && after?.frozen && after.queued_spins > 0,
  },
  'a voided play URL is restored': {
    of: 'session',
    is: ({ before, after }) => before?.voided && !!after && !after.voided,
  },
  'an expired claim of an invocation is taken over': {
    of: 'invocation',
    is: ({ before, after }) =>
      before?.queued === false &&
      before.claimed_until > 0 &&
      !!after &&
      after.claimed_by !== before.claimed_by,
  },
  'a claim of an invocation is released': {
    of: 'invocation',
    is: ({ before, after }) => before?.claimed_until > 0 && after?.claimed_until === 0,
  },
  'a book gets its timestamp hours late': {
    of: 'book',
    is: ({ before, after, commit }) =>
      !before?.timestamp && !!after?.timestamp && commit.at > startOf(after.sk) + 30 * 60 * minuteMs,
  },
  'a book is closed hours late': {
    of: 'book',
    is: ({ after, commit }) => commit.at > startOf(after!.sk) + 30 * 60 * minuteMs,
  },
} satisfies Record<string, ItemState>;

export const itemStates: Record<string, ItemState> = {
  ...receiverMoves,
  ...webhookStates,
  ...outcomeStates,
  ...operationStates,
  ...otherStates,
};

export const isState = ({ of, is }: ItemState, commit: Commit): boolean =>
  commit.changes.some(
    (change) => typeOf((change.after ?? change.before)!) === of && is({ ...change, commit }),
  );

/** Functions that make several writes in one invocation, so that a crash can come between two of them. */
const multiWriters = [
  'amoe/guest-play',
  'workers/check-books',
  'workers/check-payouts',
  'workers/check-row-index',
  'workers/close-books',
  'workers/index-rows',
  'workers/publish-events',
  'workers/run-spins',
  'workers/send-webhook',
  'workers/start-spin-run',
  'workers/sweep-receivers',
  'webhooks/invoke',
] as const;
const killedBetween = (name: string) => `${name} dies between two writes`;

/** Error codes of the API that only some worlds see. */
const codes = [
  'accepted_repeat_to_collect',
  'daily_spin_limit_reached',
  'external_reference_taken',
  'game_paused',
  'idempotency_key_reused',
  'organization_suspended',
  'outcome_unknown',
  'play_expired',
  'play_voided',
  'too_many_requests',
  'unavailable',
  'user_frozen',
];

const journalStates: Record<string, (journal: Journal) => boolean> = {
  ...Object.fromEntries(
    codes.map((code) => [
      `a request is refused as ${code}`,
      ({ exchanges }: Journal) => exchanges.some(({ answer }) => answer?.body?.code === code),
    ]),
  ),
  'an adjustment is replayed': ({ operatorCommands }) =>
    operatorCommands.some(({ printed }) => (printed as { replayed?: boolean })?.replayed === true),
};

export const stateNames = [
  ...Object.keys({ ...itemStates, ...journalStates }),
  ...multiWriters.map(killedBetween),
  ...faultNames.map((name) => `fault: ${name}`),
].sort();

/** Collects the states that one world reaches. */
export function createStates() {
  const seen = new Set<string>();
  const byType = Map.groupBy(Object.entries(itemStates), ([, { of }]) => of);
  return {
    onCommit(commit: Commit) {
      for (const change of commit.changes)
        for (const [name, { is }] of byType.get(typeOf((change.after ?? change.before)!)) ?? [])
          if (!seen.has(name) && is({ ...change, commit })) seen.add(name);
    },
    onFault({ caller, ...call }: Call, fault: CallFault) {
      if (fault === 'crashBefore' && isEffect(call) && caller!.effects > 0)
        seen.add(killedBetween(caller!.function.name));
    },
    reached(journal: Journal, faults: string[]): string[] {
      for (const [name, is] of Object.entries(journalStates)) if (is(journal)) seen.add(name);
      for (const name of faults) seen.add(`fault: ${name}`);
      return [...seen].filter((name) => stateNames.includes(name)).sort();
    },
  };
}
