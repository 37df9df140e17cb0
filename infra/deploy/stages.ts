import { quicknet } from '../../shared/amoe/drand.ts';
import type { QueueName } from '../../shared/environment.ts';
import type { Stage } from '../../shared/stage.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';

/** A stage that runs in AWS. The local stage has its settings in `infra/develop/local`. */
export type DeployedStage = Exclude<Stage, 'local'>;

/** Settings of a deployed stage. Every deploy applies all of them. */
export type StageSettings = {
  /**
   * Recipient of an email for every alarm. Production requires one; elsewhere alarms show only in the console
   * without it.
   */
  alarmEmail: string | undefined;
  /** The base of play URLs, if a CDN or proxy of yours is in front of the APIs. */
  publicUrl: string | undefined;
  /**
   * Your domain for the APIs, with the ARN of its ACM certificate in the same Region. Its DNS record has to
   * point to the stack's output `DomainTarget`. Also the default for `publicUrl`.
   */
  domain: { name: string; certificateArn: string } | undefined;
  /**
   * Whether the stack creates API Gateway's logging role and sets it for the whole account and Region. Use
   * `false` if the account has a role, such as another stage's: a deploy would replace it.
   */
  createsLogRole: boolean;
  /** Whether the table, its keys and the logs outlive the stack, with deletion protection on the table. */
  keepsData: boolean;
  /**
   * A table restored from a backup, by name and stream ARN, to use instead of the stack's own. With
   * `keepsData` the former table stays in the account; otherwise it is deleted.
   */
  restoredTable: { name: string; streamArn: string } | undefined;
  /** Log retention in days; one of CloudWatch Logs' values. */
  logRetentionDays: number;
  /**
   * Reserved concurrency of the authorizer and also its maximum, so that other functions cannot lock callers
   * out; about 50 for production. Undefined reserves nothing: Lambda keeps 100 of the account's quota
   * unreserved, so a reservation fails in a new account, whose quota may be 10.
   */
  authorizerConcurrency: number | undefined;
  /**
   * Reserved concurrency of each of the two functions of play pages; about 200 for production. Anybody can
   * call these; the cap leaves the rest of the quota to hosts.
   */
  playConcurrency: number | undefined;
  /**
   * Maximum concurrency of a queue's worker, 2 to 1,000, instead of the value in `workers.ts`. For `deliveries`,
   * each concurrent invocation makes about 80 calls a second to receivers that respond in 100 ms.
   */
  queueConcurrency: Partial<Record<QueueName, number>>;
  /**
   * Public randomness for queued free spins: a drand beacon of scheme bls-unchained-g1-rfc9380, and its
   * relays. With `'none'`, anybody who may use the draw key can predict queued spins.
   */
  beacon: StageBeacon | 'none';
  /**
   * Earlier beacons of the stage, for spins that were queued while one of them was promised. Keep a former
   * beacon for four days: until those spins have run and their books are closed.
   */
  formerBeacons: StageBeacon[];
  /** Throttle of each method: requests a second, and the burst above that. */
  requestsPerSecond: number;
  burst: number;
  /** Throttle of each organization's requests with an API key; undefined means none. */
  organizationLimit: { requestsPerSecond: number; burst: number } | undefined;
};

const beacon: StageBeacon = {
  ...quicknet,
  relays: [
    'https://api.drand.sh',
    'https://api2.drand.sh',
    'https://api3.drand.sh',
    'https://drand.cloudflare.com',
  ],
};

/** The settings of each stage. Fill these in before a deploy. */
export const stages: Record<DeployedStage, StageSettings> = {
  staging: {
    alarmEmail: undefined,
    publicUrl: undefined,
    domain: undefined,
    createsLogRole: true,
    keepsData: false,
    restoredTable: undefined,
    logRetentionDays: 30,
    authorizerConcurrency: undefined,
    playConcurrency: undefined,
    queueConcurrency: {},
    beacon,
    formerBeacons: [],
    requestsPerSecond: 200,
    burst: 400,
    organizationLimit: undefined,
  },
  production: {
    alarmEmail: undefined,
    publicUrl: undefined,
    domain: undefined,
    createsLogRole: true,
    keepsData: true,
    restoredTable: undefined,
    logRetentionDays: 365,
    authorizerConcurrency: undefined,
    playConcurrency: undefined,
    queueConcurrency: {},
    beacon,
    formerBeacons: [],
    requestsPerSecond: 2000,
    burst: 2000,
    organizationLimit: { requestsPerSecond: 1000, burst: 1000 },
  },
};

/** Returns the public URL of a stage, if it differs from the API's own. */
export const publicUrlOf = ({ publicUrl, domain }: StageSettings): string | undefined =>
  publicUrl ?? (domain && `https://${domain.name}`);

/** Returns the name of a stage's stack. The operators' commands find the stack by it. */
export const stackNameOf = (stage: DeployedStage) => `incentives-${stage}`;

/**
 * Returns the stack output that holds an environment variable's value: `TableName` for `TABLE_NAME`, since
 * output names may not have underscores.
 */
export const outputOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the deployed stage of this name, or undefined. */
export function deployedStage(text: unknown): DeployedStage | undefined {
  return Object.keys(stages).find((name): name is DeployedStage => name === text);
}
