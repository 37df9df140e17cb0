/**
 * What runs without an HTTP request: queues, schedules, and the functions behind them and behind the table's
 * stream. Plain data, from which the CDK app and the local stage are both put together.
 */

import type { Access } from '../../shared/api/route.ts';
import type { QueueName } from '../../shared/environment.ts';
import { definition, sortPrefix } from '../../shared/table/keys.ts';
import { recordKinds } from '../../shared/vocabulary.ts';

/** A queue; each has a dead-letter queue, named after it, for what failed `maxReceives` times. */
export type Queue = {
  visibilityTimeoutSeconds: number;
  maxReceives: number;
  /** What it means for hosts and users if its messages wait or fail: a sentence of an alarm. */
  impact: string;
  /** What to do with its dead letters once their reason is mended: a sentence of an alarm. */
  recovery: string;
};

/** Where a worker's events come from. */
export type Source =
  | { queue: QueueName; batchSize: number; batchWindowSeconds?: number; maxConcurrency: number }
  | {
      stream: true;
      batchSize: number;
      batchWindowSeconds?: number;
      parallelPerShard?: number;
      retries: number;
      /** How to make good what failed for good: its dead letters say where in the stream it was, and hold no record. */
      recovery: string;
    }
  | {
      schedules: string[];
      /** Whether operators' commands have it called at moments too, by one-time schedules; one worker may be. */
      atMoments?: true;
    };

/** A function that is not an endpoint. */
export type Worker = {
  /** Also the path of its file under `functions/`. */
  name: string;
  source: Source;
  access: Access;
  /** What it means for hosts and users if it fails: a sentence of an alarm. */
  impact: string;
  timeoutSeconds: number;
  memoryMb: number;
  /** Threads of libuv, half of which look up names; 4 if absent. */
  threads?: number;
  /** Alarms on what it counts itself, besides those that every worker has. */
  alarms?: MetricAlarm[];
};

/** An alarm for a metric of the service that sums up to `threshold` or more within some minutes. */
export type MetricAlarm = {
  metric: string;
  threshold: number;
  minutes: number;
  /** What it means and what to do. */
  runbook: string;
};

/** A recurring schedule; its worker gets `{"now": <the scheduled time, ISO>}`. */
export type Schedule = { expression: string; timezone: string };

export const queues: Partial<Record<QueueName, Queue>> = {
  'spin-shards': {
    visibilityTimeoutSeconds: 720,
    maxReceives: 5,
    impact: 'Free spins that are due do not run, and users wait for their prizes.',
    recovery: 'Then delete them: the sweep, every 15 minutes, does what they did not.',
  },
  // Twice what a batch of calls that all hang takes; a dependency may be down for a quarter of an hour.
  deliveries: {
    visibilityTimeoutSeconds: 90,
    maxReceives: 10,
    impact: 'Hosts do not hear by webhook of balances, outcomes and prizes.',
    recovery: 'Then send them again, from their first attempt on: npm run admin -- webhooks redrive.',
  },
};
export const schedules: Record<string, Schedule> = {
  'spin-run': { expression: 'cron(0 0 * * ? *)', timezone: 'America/New_York' },
  'spin-sweep': { expression: 'rate(15 minutes)', timezone: 'UTC' },
  'row-index-check': { expression: 'rate(15 minutes)', timezone: 'UTC' },
  'payout-check': { expression: 'rate(60 minutes)', timezone: 'UTC' },
  'book-closing': { expression: 'cron(0 1 * * ? *)', timezone: 'America/New_York' },
  'book-sweep': { expression: 'rate(6 hours)', timezone: 'UTC' },
};
export const workers: Worker[] = [
  {
    name: 'events/start-spin-run',
    source: { schedules: ['spin-run', 'spin-sweep'], atMoments: true },
    access: {
      table: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      index: true,
      sends: ['spin-shards'],
    },
    impact: 'Free spins that are due are not started, and changes that are set for a time are not made.',
    timeoutSeconds: 60,
    memoryMb: 512,
    alarms: [
      {
        metric: 'OverdueSpinShards',
        threshold: 1,
        minutes: 15,
        runbook:
          'Free spins have been due for more than two hours. Of an order, npm run admin -- user free-spins says why. See ' +
          'what run-spins says of its shards in its log and look into its dead-letter queue; each sweep tries again, and no spin can run twice.',
      },
    ],
  },
  {
    name: 'events/run-spins',
    source: { queue: 'spin-shards', batchSize: 1, maxConcurrency: 16 },
    access: {
      table: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
      sends: ['spin-shards'],
      draws: true,
      beacon: true,
    },
    impact: 'Free spins that are due do not run, and users wait for their prizes.',
    timeoutSeconds: 120,
    memoryMb: 1024,
    alarms: [
      {
        metric: 'BeaconUnavailable',
        threshold: 1,
        minutes: 15,
        runbook:
          'Queued free spins wait for the public randomness of their day, and no relay of the beacon has it: the log ' +
          'of run-spins says what each did instead. The sweep asks again, and an hour after midnight they run without. ' +
          'If relays have moved for good, change beacon in infra/deploy/stages.ts and deploy.',
      },
    ],
  },
  {
    name: 'events/publish-events',
    source: {
      stream: true,
      batchSize: 500,
      // Each batch reads its organizations' webhooks: four batches at a time keep up with a shard's 1,000
      // records a second.
      parallelPerShard: 4,
      retries: 100,
      recovery: 'Then tell hosts of that time again: npm run admin -- webhooks replay.',
    },
    access: { table: ['Query', 'BatchGetItem', 'UpdateItem'], sends: ['deliveries'] },
    impact: 'Hosts do not hear by webhook of what has happened since.',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  {
    name: 'events/send-webhook',
    source: { queue: 'deliveries', batchSize: 10, maxConcurrency: 50 },
    access: {
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'BatchWriteItem', 'UpdateItem', 'Query'],
      index: true,
      sends: ['deliveries'],
      parks: ['deliveries'],
      key: ['Decrypt'],
    },
    impact: 'Hosts do not hear by webhook of balances, outcomes and prizes.',
    timeoutSeconds: 45,
    memoryMb: 512,
    // A look-up that hangs holds a thread for longer than its batch lasts, and must not delay those of other hosts.
    threads: 64,
    alarms: [
      {
        metric: 'FailedWebhookCalls',
        threshold: 300,
        minutes: 15,
        runbook:
          'Many calls to webhooks fail. GET /webhook/history of an organization says which and why; they are tried ' +
          'again until their last attempt, then parked: npm run admin -- webhooks parked, and redrive once the receiver is well.',
      },
      {
        metric: 'WebhooksSwitchedOff',
        threshold: 1,
        minutes: 15,
        runbook:
          'A receiver has failed for five days, and is told nothing any more: npm run admin -- webhooks list says which. ' +
          'Once it is well, its host sends a PUT, or: npm run admin -- webhooks enable. It is then told what it missed.',
      },
    ],
  },
  {
    name: 'events/index-rows',
    source: {
      stream: true,
      batchSize: 1000,
      batchWindowSeconds: 10,
      retries: 100,
      recovery:
        'Then delete them: check-row-index and close-books, or npm run admin -- reports rebuild, do what they did not.',
    },
    access: { table: ['Query', 'PutItem'], index: true },
    impact: 'Reports stay right; their pages read more of the table, and take longer.',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  {
    name: 'events/check-row-index',
    source: { schedules: ['row-index-check'] },
    access: { table: ['Query', 'PutItem'], index: true },
    impact: 'Reports stay right; their pages read more of the table, and take longer.',
    timeoutSeconds: 300,
    memoryMb: 512,
  },
  {
    name: 'events/check-payouts',
    source: { schedules: ['payout-check'] },
    access: { table: ['GetItem', 'PutItem'], index: true },
    impact: 'A game that pays out other than its odds say is noticed later; what users win does not change.',
    // Some million outcomes, which take a second for every ten thousand.
    timeoutSeconds: 900,
    memoryMb: 1024,
    alarms: [
      {
        metric: 'PayoutDeviations',
        threshold: 1,
        minutes: 60,
        runbook:
          'A prize, or the cash of all games, is won more or less often than its odds say, which chance comes to once in ' +
          '10,000 hours of a whole stage; or a prize was won that was not in its draw. A host pays too much, or users get ' +
          'less than they were promised. The log of check-payouts says which: organization, game, prize, since when, won, ' +
          'expected, and p. Repeat some draws: npm run admin -- outcome verify. Compare the odds with what was meant: ' +
          'npm run admin -- game show, and report cash of these days; book export and npm run verify say who changed what. ' +
          'If too much is won, npm run admin -- game pause stops the game (and game pause --game amoe the free spins) within ' +
          'a minute; game limits --daily-cash 0 stops all cash and nothing else. game set puts another table ' +
          'in place, and game resume ends the pause. Tell the host. The test begins anew, and the alarm returns if it goes on.',
      },
    ],
  },
  {
    name: 'events/close-books',
    source: { schedules: ['book-closing', 'book-sweep'] },
    access: {
      table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
      index: true,
      draws: true,
      signs: true,
      beacon: true,
    },
    impact: 'Yesterday cannot be checked by outsiders yet.',
    timeoutSeconds: 900,
    memoryMb: 1024,
    alarms: [
      {
        metric: 'LateBooks',
        threshold: 1,
        minutes: 60,
        runbook:
          'The book of a day is not closed though the day has been over for 12 hours. See what close-books says in its ' +
          'log; each schedule goes on with it, as does npm run admin -- book close. Until then nothing is lost.',
      },
    ],
  },
];

/** For how long messages are kept; in a dead-letter queue their age still counts from their beginning. */
export const retentionDays = { queue: 7, deadLetters: 14 };

/** The name of the dead-letter queue of a queue, or of a worker on the stream (`events/publish-events`). */
export const deadLetterQueueOf = (name: string) => `${name.split('/').at(-1)}-dead-letters`;

/** What the workers on the stream are called with: new records, and nothing else that changes in the table. */
export const streamFilter = {
  eventName: ['INSERT'],
  dynamodb: {
    Keys: { [definition.sortKey]: { S: recordKinds.map((kind) => ({ prefix: sortPrefix[kind] })) } },
  },
};
