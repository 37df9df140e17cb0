import { runCommand } from '../../../../../infra/operate/admin/cli.ts';
import type { OutcomeRecord, UserRecord } from '../../../../../shared/accounts/records.ts';
import { adjustBalance } from '../../../../../shared/actions/adjust-balance.ts';
import { timeOfUlid } from '../../../../../shared/ids.ts';
import { timeSortKey } from '../../../../../shared/table/keys.ts';
import { dayOf } from '../../../../../shared/time.ts';
import type { PrizeKind } from '../../../../../shared/vocabulary.ts';
import { recordsOf } from '../../../../amoe/support.ts';
import { newUrl, spinUrl } from '../../../../games/support/plays.ts';
import { type Api, newOrganization } from '../../../../support/api.ts';
import { prizeOf } from '../../../../support/prize.ts';
import { putPrizeTable } from '../../../../support/put-prize-table.ts';
import { testContext } from '../../../../support/test-context.ts';

/** Runs the command `report` with a verb and options on the tests' local stage. */
export async function report(verb: string, org: string, args: Record<string, string | true>) {
  const options = Object.entries(args).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, value],
  );
  const out: string[] = [];
  const error: string[] = [];
  const code = await runCommand(['report', verb, '--org', org, ...options, '--stage', 'local'], {
    out: (text) => out.push(text),
    error: (text) => error.push(text),
  });
  return { code, out: out.join(''), error: error.at(-1) ?? '' };
}

/** Runs a report and returns its JSON output. Throws if the report fails. */
export async function shown(verb: string, org: string, args: Record<string, string | true>) {
  const { code, out, error } = await report(verb, org, args);
  if (code !== 0) throw new Error(error);
  return JSON.parse(out);
}

/** A small organization in which everything happened that reports count, and the records of its users. */
export type Small = {
  api: Api;
  users: string[];
  records: UserRecord[];
  /** `from` and `to` are the days of the first and the last record, usually the same day. */
  from: string;
  to: string;
};

export async function smallOrganization(): Promise<Small> {
  const api = await newOrganization();
  const org = api.organizationId;
  const anna = await api.user(40);
  const { body } = await api.post('/users', { external_reference: `=cmd("${org}")\u202e` });
  const bob: string = body.user_id;
  await api.post(`/users/${anna}/tickets/debit`, { amount: 3, idempotency_key: 'less' });
  const entries = { type: 'truck', description: 'a' };
  await api.post(`/users/${anna}/entries/credit`, { ...entries, amount: 5, idempotency_key: 'more' });
  await api.post(`/users/${anna}/entries/debit`, { ...entries, amount: 2, idempotency_key: 'less' });
  await api.post(`/users/${bob}/tickets/credit`, { amount: 9, idempotency_key: 'start' });
  const play = async (user: string, body = {}) => {
    const { status } = await spinUrl(await newUrl(api, user, body));
    if (status !== 200) throw new Error(`a play is refused: ${status}`);
  };
  const won: [PrizeKind, number, string][] = [
    ['cash_usd', 25, anna],
    ['cash_usd', 26, bob],
    ['prize_gift_card', 1, bob],
    ['entry_flight', 1, anna],
    ['tickets', 3, anna],
  ];
  for (const [kind, amount, user] of won) {
    await putPrizeTable(org, 'prizewheel', [prizeOf(kind, amount, 1)], testContext());
    await play(user, { game: 'prizewheel' });
  }
  await play(anna, { game: 'truck' });
  const prizes = [prizeOf('cash_usd', 60, 1), prizeOf('tickets', 2, 1)];
  await putPrizeTable(org, 'prizewheel', prizes, testContext());
  const { body: debug } = await api.post(`/debug/users/${anna}/games/play`, { result: 'jackpot' });
  await spinUrl(debug.url);
  await api.post(`/users/guest/${bob}/game/play`, { num_of_spins: 6, idempotency_key: 'guest' });
  await api.post(`/users/${bob}/game/queue`, { num_of_spins: 10, idempotency_key: 'queue' });
  const taken = { organizationId: org, userId: anna, account: 'tickets', amount: -4 } as const;
  await adjustBalance(taken, { ...testContext(), why: 'credited twice' });
  const users = [anna, bob];
  const records = (await Promise.all(users.map((user) => recordsOf(org, user)))).flatMap((of) => of.records);
  const days = records.map(dayOfRecord).sort();
  return { api, users, records, from: days[0]!, to: days.at(-1)! };
}

/** Returns the day (New York time) of the book that contains a record. */
export const dayOfRecord = (record: UserRecord): string => dayOf(timeOfUlid(timeSortKey(record)));

/** Returns the outcomes in `records`. Omits outcomes of debug plays. */
export const outcomesIn = (records: UserRecord[]): OutcomeRecord[] =>
  records.filter((record) => record.kind === 'outcomes').filter(({ debug }) => !debug);

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
