/** The cost model of a month: what users do, and how many units of each charge AWS bills for it. */

import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { accountOfPrize } from '../../../shared/games/prizes.ts';
import { authorizerTtlSeconds } from '../../../shared/stage.ts';
import * as assumed from './assumptions.ts';
import type { MeasuredUses } from './operations.ts';
import { sumOf, type Use } from './prices.ts';

/** Number of plays per user and day. */
export const playsPerDay = 3;
const daysPerYear = 365;
/** Number of days for which webhook calls are stored. Everything else is stored for ever. */
const callsKeptDays = 90;

/** Probabilities that a play of the prize wheel wins tickets or entries (`balance`), cash, or another prize. */
const shares = { balance: 0, cash: 0, other: 0 };
const { prizes } = defaultPrizeTables.prizewheel;
const weights = prizes.reduce((sum, { weight }) => sum + weight, 0);
for (const { kind, weight } of prizes) {
  const won = kind === 'cash_usd' ? 'cash' : accountOfPrize(kind) ? 'balance' : 'other';
  shares[won] += weight / weights;
}
// Average number of records per play: the host's credit, the cost, the outcome, and a credit if a balance is won.
const records = 3 + shares.balance;
// Average number of events per play: one for each record, and one more if cash or another prize is won.
const events = records + shares.cash + shares.other;

type Share = { name: string; times: number };

/**
 * Returns how often each operation runs per play, with one webhook. With `inBatches`, one invocation
 * processes records of many plays.
 */
export function operationsPerPlay({ inBatches }: { inBatches: boolean }): Share[] {
  return [
    { name: 'a credit', times: 1 },
    { name: 'a play URL', times: 1 },
    { name: 'its page opened', times: 1 },
    { name: 'a spin that wins tickets or entries', times: shares.balance },
    { name: 'a spin that wins cash', times: shares.cash },
    { name: 'a spin that wins what no balance shows', times: shares.other },
    { name: inBatches ? 'an event published, of 10' : 'an event published, alone', times: events },
    { name: inBatches ? 'an event sent, of 10' : 'an event sent, alone', times: events },
    { name: inBatches ? 'a record indexed, of 100' : 'a record indexed, alone', times: records },
    { name: 'a record in a book, of a day', times: records },
    { name: 'a play checked, of an hour', times: 1 },
  ];
}

/** Operations that each user causes once a day. */
const operationsPerDay: Share[] = [{ name: 'a balance', times: 1 }];

/** Number of users above which a batch contains the events of several plays. */
const usersForBatches = 10_000;

/** Returns the plays and the use of AWS of one month, `years` after all users joined. Assumes one API key. */
export function monthOf(measured: MeasuredUses, users: number, years: number): { plays: number; use: Use } {
  const days = users * assumed.daysPerMonth;
  const plays = days * playsPerDay;
  const done = [
    ...operationsPerPlay({ inBatches: users > usersForBatches }).map((one) => ({
      ...one,
      times: one.times * plays,
    })),
    ...operationsPerDay.map((one) => ({ ...one, times: one.times * days })),
  ].map(({ name, times }) => ({ times, ...measured.get(name)! }));
  const lookups = assumed.secondsPerMonth / authorizerTtlSeconds;
  const use = sumOf(
    ...done,
    { times: lookups, use: measured.get('a key looked up')!.use },
    { times: done.length, use: { 'KMS-Requests': assumed.tableKeyRequests } },
  );
  const bytes = (place: 'table' | 'index') =>
    done.reduce(
      (sum, { name, times, stored }) =>
        sum + (times / assumed.daysPerMonth) * keptDays(name, years) * stored[place],
      users * measured.get('a user made')!.stored[place],
    );
  const logs = (use['VendedLog-Bytes']! * years * daysPerYear) / assumed.daysPerMonth;
  const stored: Use = {
    'TimedStorage-ByteHrs': (bytes('table') + bytes('index')) / 1e9,
    'TimedPITRStorage-ByteHrs': bytes('table') / 1e9,
    'TimedStorage-ByteHrs (logs)': logs * assumed.logCompression,
  };
  return { plays, use: sumOf({ times: 1, use }, { times: 1, use: stored }) };
}

const keptDays = (name: string, years: number) =>
  name.startsWith('an event sent') ? callsKeptDays : years * daysPerYear;
