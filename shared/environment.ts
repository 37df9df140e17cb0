/**
 * The environment variables with which a function finds its stage's resources. CDK and the local stage set them by these
 * names; functions read them only here.
 */
import { type Stage, stages } from './stage.ts';

/** The purpose of each variable. */
const purposes = {
  STAGE: `the stage: ${stages.join(', ')}`,
  TABLE_NAME: "the stage's table",
  PUBLIC_URL: 'the address of the API as callers know it, if it is not its own',
  PLAY_URL: 'what play URLs begin with, if not with the address of the API',
  API_URL: "the API's own address, for commands",
  KEY_ARN: "the key that protects webhooks' secrets",
  DRAW_KEY_ARN: 'the key that makes the secrets of days, from which draws follow',
  LOG_LEVEL: 'the least level that is logged: INFO (if it is not set), WARN, ERROR or SILENT',
  METRICS_NAMESPACE: 'the namespace of its metrics; none are counted without it',
  BEACON:
    'the public randomness that queued spins are promised, with its relays, as JSON; none if it is not set or "none"',
  FORMER_BEACONS: 'those that were promised before, as a list in JSON; none if it is not set',
  BOOK_KEY_ARN: 'the key that signs books',
  AWS_ENDPOINT_URL_KMS: 'the address of KMS, if it is not its own',
  AWS_ENDPOINT_URL: 'the address of all of AWS, as of an emulator, for services that have none of their own',
  QUEUE_URL_DELIVERIES: 'the queue of deliveries to webhooks',
  QUEUE_ARN_DELIVERIES: 'the queue to which a one-time schedule sends a delivery',
  DEAD_LETTER_URL_DELIVERIES: 'the queue of deliveries that have failed for good',
  DEAD_LETTER_ARN_DELIVERIES: 'the queue to which a one-time schedule sends what it cannot deliver',
  QUEUE_URL_SPIN_SHARDS: "the queue of the spin run's shards",
  QUEUE_ARN_SPIN_SHARDS: "the queue of the spin run's shards",
  DEAD_LETTER_URL_SPIN_SHARDS: 'the queue of shards that have failed for good',
  DEAD_LETTER_ARN_SPIN_SHARDS: 'the queue of shards that have failed for good',
  SCHEDULE_GROUP: 'the group of one-time schedules',
  SCHEDULE_ROLE_ARN: 'the role in which one-time schedules act',
  RETRY_DELAYS_SECONDS: 'seconds between attempts of a delivery, for trials: "1,2,3"',
};

/** The name of a variable. */
export type Variable = keyof typeof purposes;
/** The names of all variables. */
export const variables = Object.keys(purposes) as Variable[];
/** Variables with their values. */
export type Environment = { [name in Variable]?: string };

/** The queues of a stage, with the variables of each queue's URL and of its dead-letter queue's. */
export const queueVariables = {
  deliveries: {
    url: 'QUEUE_URL_DELIVERIES',
    arn: 'QUEUE_ARN_DELIVERIES',
    deadLetterUrl: 'DEAD_LETTER_URL_DELIVERIES',
    deadLetterArn: 'DEAD_LETTER_ARN_DELIVERIES',
  },
  'spin-shards': {
    url: 'QUEUE_URL_SPIN_SHARDS',
    arn: 'QUEUE_ARN_SPIN_SHARDS',
    deadLetterUrl: 'DEAD_LETTER_URL_SPIN_SHARDS',
    deadLetterArn: 'DEAD_LETTER_ARN_SPIN_SHARDS',
  },
} as const satisfies Record<string, Record<string, Variable>>;
/** The name of a queue. */
export type QueueName = keyof typeof queueVariables;

/** Returns the value of a variable. Throws an Error with its name and purpose if it is not set. */
export function variable(name: Variable): string {
  const value = optionalVariable(name);
  if (value === undefined) throw new Error(`${name} is not set. It holds ${purposes[name]}.`);
  return value;
}

/** Returns the value of a variable, or undefined if it is not set or empty. */
export function optionalVariable(name: Variable): string | undefined {
  return process.env[name] || undefined;
}

/** Returns the stage of this process. Throws an Error if STAGE is missing or unknown. */
export function currentStage(): Stage {
  const value = variable('STAGE');
  const stage = stages.find((known) => known === value);
  if (!stage) throw new Error(`STAGE is "${value}". It holds ${purposes.STAGE}.`);
  return stage;
}
