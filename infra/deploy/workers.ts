import type { Access } from '../../shared/api/route.ts';
import type { QueueName } from '../../shared/environment.ts';
import type { MetricName } from '../../shared/metrics.ts';
import { actionsPrefix, sortKeyPrefixes, tableDefinition } from '../../shared/table/keys.ts';
import { recordKinds } from '../../shared/vocabulary.ts';

/** A message that has failed `maxReceives` times goes to the dead-letter queue. */
export type DeclaredQueue = {
  visibilityTimeoutSeconds: number;
  maxReceives: number;
  /** Alarm text: the consequence for hosts and users if messages are delayed or cannot be processed. */
  impact: string;
  /** Alarm text: instructions for handling dead letters after their cause is fixed. */
  recovery: string;
};

/** The event source that invokes a worker: a queue, the table's stream, or schedules. */
export type WorkerSource =
  | { queue: QueueName; batchSize: number; batchWindowSeconds?: number; maxConcurrency: number }
  | {
      stream: true;
      batchSize: number;
      batchWindowSeconds?: number;
      parallelPerShard?: number;
      retries: number;
      recovery: string;
    }
  | {
      schedules: string[];
      /** The worker also runs operators' one-time schedules. At most one worker may. */
      oneTimeSchedules?: true;
    };

/** A Lambda function that runs without an HTTP request. */
export type Worker = {
  /** Path of the function's file below `functions/`, without its extension. */
  name: string;
  source: WorkerSource;
  access: Access;
  /** Alarm text: the consequence for hosts and users if the worker fails. */
  impact: string;
  timeoutSeconds: number;
  memoryMb: number;
  /** Size of `/tmp` in megabytes; 512 if absent. */
  diskMb?: number;
  /** Size of libuv's thread pool, of which DNS lookups use at most half. */
  threads?: number;
  alarms?: MetricAlarm[];
};

/** The alarm goes off when the sum over `minutes` reaches `threshold`. */
export type MetricAlarm = {
  metric: MetricName;
  threshold: number;
  minutes: number;
  runbook: string;
};

/** A recurring schedule, which invokes a worker with the event `{"now": <the scheduled time, ISO>}`. */
export type DeclaredSchedule = { expression: string; timezone: string };

export const queues: Partial<Record<QueueName, DeclaredQueue>> = {
  'spin-shards': {
    visibilityTimeoutSeconds: 720,
    maxReceives: 5,
    impact: 'Due free spins do not run, so users wait for their prizes.',
    recovery:
      'Then purge the dead-letter queue (aws sqs purge-queue): the sweep, every 15 minutes, runs the same spins.',
  },
  drawings: {
    visibilityTimeoutSeconds: 1800,
    maxReceives: 5,
    impact: 'A drawing is not closed or not drawn, so its winners wait.',
    recovery:
      'Then purge the dead-letter queue (aws sqs purge-queue): the sweep, every 15 minutes, takes the same steps.',
  },
  deliveries: {
    // Twice the timeout of send-webhook, so that no message returns to the queue while its batch still runs.
    visibilityTimeoutSeconds: 90,
    // A failing message moves to the dead-letter queue after 15 minutes: ten times the visibility timeout.
    maxReceives: 10,
    impact: 'Hosts receive no webhooks about balances, outcomes and prizes.',
    recovery:
      'Then move the deliveries back, which begins them again at attempt 1: aws sqs start-message-move-task ' +
      '--source-arn <dead-letter queue> --destination-arn <queue>.',
  },
};
export const schedules: Record<string, DeclaredSchedule> = {
  'spin-run': { expression: 'cron(0 0 * * ? *)', timezone: 'America/New_York' },
  'receiver-sweep': { expression: 'rate(1 minute)', timezone: 'UTC' },
  'spin-sweep': { expression: 'rate(15 minutes)', timezone: 'UTC' },
  'row-index-check': { expression: 'rate(15 minutes)', timezone: 'UTC' },
  'payout-check': { expression: 'rate(60 minutes)', timezone: 'UTC' },
  'book-closing': { expression: 'cron(0 1 * * ? *)', timezone: 'America/New_York' },
  'book-sweep': { expression: 'rate(6 hours)', timezone: 'UTC' },
  'book-check': { expression: 'rate(6 hours)', timezone: 'UTC' },
};
export const workers: Worker[] = [
  {
    name: 'workers/start-spin-run',
    source: { schedules: ['spin-run', 'spin-sweep'], oneTimeSchedules: true },
    access: {
      table: ['GetItem', 'Query', 'BatchGetItem', 'PutItem'],
      index: true,
      sends: ['spin-shards', 'drawings'],
    },
    impact: 'Due free spins and drawings do not start, and scheduled changes are not made.',
    timeoutSeconds: 300,
    memoryMb: 512,
    alarms: [
      {
        metric: 'OverdueSpinShards',
        threshold: 1,
        minutes: 15,
        runbook:
          'Free spins have been due for more than two hours. Read the log of run-spins for the failing shards, and look ' +
          'into the dead-letter queue of spin-shards. For one user or order, npm run admin -- explain <id> shows why. ' +
          'Each sweep, every 15 minutes, retries, and no spin can run twice.',
      },
      {
        metric: 'LateDrawings',
        threshold: 1,
        minutes: 15,
        runbook:
          'A drawing should have been closed or drawn an hour ago. npm run admin -- drawing list shows which. Read the ' +
          'log of run-drawings: relays that lack the round, or an error. Each sweep, every 15 minutes, tries again, ' +
          'with the same round. If its list is not ready before its round, only drawing call-off is left, which gives ' +
          'the entries back.',
      },
    ],
  },
  {
    name: 'workers/run-drawings',
    source: { queue: 'drawings', batchSize: 1, maxConcurrency: 16 },
    access: {
      table: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'DeleteItem'],
      sends: ['drawings'],
      timestamps: true,
    },
    impact: 'Drawings are not closed or not drawn, so their winners wait.',
    timeoutSeconds: 300,
    memoryMb: 1769,
  },
  {
    name: 'workers/run-spins',
    source: { queue: 'spin-shards', batchSize: 1, maxConcurrency: 16 },
    access: {
      table: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
      sends: ['spin-shards'],
      draws: true,
    },
    impact: 'Due free spins do not run, so users wait for their prizes.',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  {
    name: 'workers/publish-events',
    source: {
      stream: true,
      batchSize: 500,
      // One batch at a time is too slow for a stream shard's 1,000 records per second.
      parallelPerShard: 4,
      retries: 100,
      recovery: 'Then publish the events of that time again: npm run admin -- webhooks replay.',
    },
    access: { table: ['Query'], sends: ['deliveries'] },
    impact: 'Hosts receive no webhooks about newer events.',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  {
    name: 'workers/send-webhook',
    // Until they are paused, hanging receivers block invocations: 100 receivers with an event a second each, up to 200.
    source: { queue: 'deliveries', batchSize: 10, maxConcurrency: 200 },
    access: {
      table: ['BatchGetItem', 'PutItem', 'BatchWriteItem', 'Query'],
      index: true,
      sends: ['deliveries'],
      parks: ['deliveries'],
      key: ['Decrypt'],
    },
    impact: 'Hosts receive no webhooks about balances, outcomes and prizes.',
    timeoutSeconds: 45,
    memoryMb: 512,
    // Provides spare threads, because a hanging DNS lookup blocks its thread even after its batch has ended.
    threads: 64,
  },
  {
    name: 'workers/sweep-receivers',
    source: { schedules: ['receiver-sweep'] },
    access: { table: ['GetItem', 'Query', 'PutItem'], index: true, sends: ['deliveries'] },
    impact: 'Hosts whose receivers were down do not receive the webhooks that they missed.',
    timeoutSeconds: 60,
    memoryMb: 512,
    alarms: [
      {
        metric: 'WebhooksSwitchedOff',
        threshold: 1,
        minutes: 15,
        runbook:
          'A receiver has failed for five days, so its webhook is switched off. npm run admin -- webhooks list shows ' +
          'which. Once the receiver works, its host sends a PUT, or you run npm run admin -- webhooks enable. It then ' +
          'gets every missed event.',
      },
    ],
  },
  {
    name: 'workers/index-rows',
    source: {
      stream: true,
      batchSize: 1000,
      batchWindowSeconds: 10,
      retries: 100,
      recovery:
        'Then purge the dead-letter queue (aws sqs purge-queue): check-row-index and close-books add the missing rows, ' +
        'or run npm run admin -- report rebuild.',
    },
    access: { table: ['Query', 'PutItem'], index: true },
    impact: 'Reports stay correct, but are slower because they read more of the table.',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  {
    name: 'workers/check-row-index',
    source: { schedules: ['row-index-check'] },
    access: { table: ['Query', 'PutItem'], index: true },
    impact: 'Reports stay correct, but are slower because they read more of the table.',
    timeoutSeconds: 300,
    memoryMb: 512,
  },
  {
    name: 'workers/check-payouts',
    source: { schedules: ['payout-check'] },
    access: { table: ['GetItem', 'Query', 'PutItem'], index: true },
    impact:
      'The dashboard lacks plays and wins, and cash ahead of the odds and prizes soon to be claimed are noticed later.',
    timeoutSeconds: 900,
    memoryMb: 1024,
    alarms: [
      {
        metric: 'CashAheadOfOdds',
        threshold: 1,
        minutes: 60,
        runbook:
          'Since the check before, users won far more cash than the odds promise. Stop first: npm run admin -- game pause, for free ' +
          'spins game pause --game amoe, for cash alone game limits --daily-cash 0. Then investigate: the log of ' +
          'check-payouts has organization, won and expected USD. Repeat some draws: explain with an outcome’s id. ' +
          'Compare the odds with the intended ones: game show, and report day for these days. book export and npm run ' +
          'verify show who changed what. Replace the prize table with game set, then game resume, and tell the host.',
      },
      {
        metric: 'ClaimsDue',
        threshold: 1,
        minutes: 60,
        runbook:
          'Tracked prizes are still owed, and their winners can claim them only for another week. The log of check-payouts ' +
          'has the organization and the prizes; npm run admin -- prize list shows all that are owed. Tell the host. Then ' +
          'prize deliver, hold or forfeit records what became of them.',
      },
    ],
  },
  {
    name: 'workers/close-books',
    source: { schedules: ['book-closing', 'book-sweep'] },
    access: {
      table: ['GetItem', 'Query', 'PutItem', 'BatchWriteItem'],
      index: true,
      draws: true,
      signs: true,
      timestamps: true,
    },
    impact: "Outsiders cannot verify yesterday's draws yet.",
    timeoutSeconds: 900,
    memoryMb: 1024,
    alarms: [
      {
        metric: 'LateBooks',
        threshold: 1,
        minutes: 60,
        runbook:
          'The book of a day is still open 12 hours after the day ended. Read the log of close-books. The next scheduled ' +
          'run continues, as does npm run admin -- book close. Nothing is lost in the meantime.',
      },
      {
        metric: 'LateTimestamps',
        threshold: 1,
        minutes: 60,
        runbook:
          'A book is still without a timestamp 12 hours after it could be closed, so nobody outside confirms when it ' +
          'existed. npm run admin -- book list shows which. The log of close-books has the answer of each authority. Each ' +
          'scheduled run asks again; after seven days, the book stays without a timestamp. If an authority has moved or ' +
          'has a new root, or if only one is listed, change timestampAuthorities in infra/deploy/stages.ts and deploy, ' +
          'with the former entry at the end of the list.',
      },
    ],
  },
  {
    name: 'workers/check-books',
    source: { schedules: ['book-check'] },
    access: { table: ['GetItem', 'Query', 'PutItem'], index: true, timestamps: true },
    impact: 'A fault in the books is noticed by outsiders first, or not at all.',
    // These limits are enough to check a day with a million records together with the day before. 3,008 MB is the most
    // that a new AWS account allows.
    timeoutSeconds: 900,
    memoryMb: 3008,
    diskMb: 6144,
    alarms: [
      {
        metric: 'BookFindings',
        threshold: 1,
        minutes: 60,
        runbook:
          'The check of a closed book has findings: somebody changed data of that day, or the service has a bug. If users ' +
          'can win what they should not, stop first: npm run admin -- org suspend. Otherwise change nothing yet. npm run ' +
          'admin -- book list shows the day and the findings. Export this book and the book of the day before with book ' +
          'export, and read what npm run verify says about each record. Compare with audit list, and with CloudTrail for ' +
          'changes of the table.',
      },
      {
        metric: 'UncheckedBooks',
        threshold: 1,
        minutes: 60,
        runbook:
          'A book is still unchecked two days after the end of its day. Read the log of check-books. If the day is too ' +
          'large for the function, check its book on a machine: npm run admin -- book export, then npm run verify.',
      },
    ],
  },
];

/** Dead letters are kept longer, because SQS counts their age from when the message was first sent. */
export const retentionDays = { queue: 7, deadLetters: 14 };

export const deadLetterQueueName = (name: string) => `${name.split('/').at(-1)}-dead-letters`;

export const streamFilter = {
  eventName: ['INSERT'],
  dynamodb: {
    Keys: {
      [tableDefinition.sortKey]: {
        S: [...[...recordKinds, 'claims' as const].map((kind) => sortKeyPrefixes[kind]), actionsPrefix].map(
          (prefix) => ({ prefix }),
        ),
      },
    },
  },
};
