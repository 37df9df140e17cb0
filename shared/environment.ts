import { type Stage, stages } from './stage.ts';

const purposes = {
  STAGE: `the stage: ${stages.join(', ')}`,
  TABLE_NAME: "the stage's table",
  PUBLIC_URL: 'the public address of the API, if it differs from the address that API Gateway gave it',
  PLAY_URL: 'the base address of play URLs, if it differs from that of the API',
  API_URL: 'the address that API Gateway gave the API, for commands',
  KEY_ARN: "the key that protects webhooks' secrets",
  DRAW_KEY_ARN: "the key that makes the secrets of days, from which each draw's server seed is derived",
  LOG_LEVEL: 'the lowest level that is logged: INFO (the default), WARN, ERROR or SILENT',
  METRICS_NAMESPACE: 'the CloudWatch namespace of metrics; without it, no metrics are counted',
  BOOK_KEY_ARN: 'the key that signs books',
  TIMESTAMP_AUTHORITIES: 'the authorities that give books their timestamps, as a JSON list; unset for none',
  BEACON: 'the beacon of drawings and its relays, as JSON; unset for the public quicknet',
  QUEUE_URL_DRAWINGS: 'the queue of steps of drawings',
  DEAD_LETTER_URL_DRAWINGS: 'the queue of steps of drawings that have failed for good',
  QUEUE_URL_DELIVERIES: 'the queue of deliveries to webhooks',
  DEAD_LETTER_URL_DELIVERIES: 'the queue of deliveries that have failed for good',
  QUEUE_URL_SPIN_SHARDS: "the queue of the spin run's shards",
  DEAD_LETTER_URL_SPIN_SHARDS: 'the queue of shards that have failed for good',
  SCHEDULE_GROUP: 'the group of one-time schedules',
  SCHEDULE_ROLE_ARN: 'the role in which schedules call their worker',
  SCHEDULE_TARGET_ARN: 'the worker that one-time schedules call',
  SCHEDULE_DEAD_LETTER_ARN: 'the queue to which a schedule sends a call that it could not make',
  RETRY_DELAYS_SECONDS: 'seconds between attempts of a delivery, for trials: "1,2,3"',
};

type Variable = keyof typeof purposes;
export const variableNames = Object.keys(purposes) as Variable[];
export type Environment = { [name in Variable]?: string };

export const queueVariables = {
  deliveries: {
    url: 'QUEUE_URL_DELIVERIES',
    deadLetterUrl: 'DEAD_LETTER_URL_DELIVERIES',
  },
  drawings: {
    url: 'QUEUE_URL_DRAWINGS',
    deadLetterUrl: 'DEAD_LETTER_URL_DRAWINGS',
  },
  'spin-shards': {
    url: 'QUEUE_URL_SPIN_SHARDS',
    deadLetterUrl: 'DEAD_LETTER_URL_SPIN_SHARDS',
  },
} as const satisfies Record<string, Record<string, Variable>>;
export type QueueName = keyof typeof queueVariables;

/** If the variable is not set, throws an Error that says what it must contain. */
export function requiredVariable(name: Variable): string {
  const value = optionalVariable(name);
  if (value === undefined) throw new Error(`${name} is not set. It holds ${purposes[name]}.`);
  return value;
}

export function optionalVariable(name: Variable): string | undefined {
  return process.env[name] || undefined;
}

/** Throws an Error if the variable STAGE is missing or unknown. */
export function currentStage(): Stage {
  const value = requiredVariable('STAGE');
  const stage = stages.find((known) => known === value);
  if (!stage) throw new Error(`STAGE is "${value}". It holds ${purposes.STAGE}.`);
  return stage;
}
