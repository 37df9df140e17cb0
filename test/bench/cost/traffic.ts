/** What users do in a month, and what comes of it. */
import { authorizerTtlSeconds } from '../../../infra/deploy/endpoints.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { accountOf } from '../../../shared/games/prizes.ts';
import * as assumed from './assumptions.ts';
import type { AllTaken } from './operations.ts';
import { sumOf, type Use } from './prices.ts';

/** Plays of a user on a day. */
export const playsPerDay = 3;
const daysPerYear = 365;
/** Calls to webhooks are kept for so many days; all else that a play leaves behind, for a year or for good. */
const callsKeptDays = 90;

/** Shares of the wheel's plays that win into a balance, in cash, and what no balance shows. */
const shares = { balance: 0, cash: 0, other: 0 };
const { prizes } = defaultPrizeTables.prizewheel;
const weights = prizes.reduce((sum, { weight }) => sum + weight, 0);
for (const { kind, weight } of prizes) {
  const won = kind === 'cash_usd' ? 'cash' : accountOf(kind) ? 'balance' : 'other';
  shares[won] += weight / weights;
}
// The credit, the outcome, its cost, and what it won into a balance.
const records = 3 + shares.balance;
// One for each of those, and one that cash or another prize was won.
const events = records + shares.cash + shares.other;

type Share = { name: string; times: number };

/**
 * What a play comes with: how often each operation is carried out for it. Events go to one webhook, which
 * takes all.
 */
export function ofAPlay({ inBatches }: { inBatches: boolean }): Share[] {
  return [
    { name: 'a credit', times: 1 },
    { name: 'eligibility', times: 1 },
    { name: 'a play URL', times: 1 },
    { name: 'its page opened', times: 1 },
    { name: 'a spin that wins tickets or entries', times: shares.balance },
    { name: 'a spin that wins cash', times: shares.cash },
    { name: 'a spin that wins what no balance shows', times: shares.other },
    { name: inBatches ? 'an event published, of 10' : 'an event published, alone', times: events },
    { name: inBatches ? 'an event sent, of 10' : 'an event sent, alone', times: events },
    { name: inBatches ? 'a record indexed, of 100' : 'a record indexed, alone', times: records },
    { name: 'a record in a book, of 2000', times: records },
    { name: 'a play checked, of 2000', times: 1 },
  ];
}

/** What comes once for a user and a day. */
const ofADay: Share[] = [{ name: 'a balance', times: 1 }];

/** Below so many users, what comes of one play is done before the next one. */
const usersForBatches = 10_000;

/** What so many users take in a month, a year after they began; their host has one key. */
export function monthOf(taken: AllTaken, users: number): { plays: number; use: Use } {
  const days = users * assumed.daysPerMonth;
  const plays = days * playsPerDay;
  const done = [
    ...ofAPlay({ inBatches: users > usersForBatches }).map((one) => ({ ...one, times: one.times * plays })),
    ...ofADay.map((one) => ({ ...one, times: one.times * days })),
  ].map(({ name, times }) => ({ times, ...taken.get(name)! }));
  const lookups = assumed.secondsPerMonth / authorizerTtlSeconds;
  const use = sumOf(
    ...done,
    { times: lookups, use: taken.get('a key looked up')!.use },
    { times: done.length, use: { 'KMS-Requests': assumed.tableKeyRequests } },
  );
  const bytes = (place: 'table' | 'index') =>
    done.reduce(
      (sum, { name, times, stored }) => sum + (times / assumed.daysPerMonth) * keptDays(name) * stored[place],
      users * taken.get('a user made')!.stored[place],
    );
  const logs = (use['VendedLog-Bytes']! * daysPerYear) / assumed.daysPerMonth;
  const stored: Use = {
    'TimedStorage-ByteHrs': (bytes('table') + bytes('index')) / 1e9,
    'TimedPITRStorage-ByteHrs': bytes('table') / 1e9,
    'TimedStorage-ByteHrs (logs)': logs * assumed.logCompression,
  };
  return { plays, use: sumOf({ times: 1, use }, { times: 1, use: stored }) };
}

const keptDays = (name: string) => (name.startsWith('an event sent') ? callsKeptDays : daysPerYear);
