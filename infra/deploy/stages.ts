import { quicknet } from '../../shared/amoe/drand.ts';
import type { QueueName } from '../../shared/environment.ts';
import type { Stage } from '../../shared/stage.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';

/** A stage that runs in AWS. The settings of the local stage are in `infra/develop/local`. */
export type DeployedStage = Exclude<Stage, 'local'>;

/** Settings of a stage that runs in AWS. Every deploy applies all of them. */
export type StageSettings = {
  /**
   * Email address that receives every alarm. Production requires one. On other stages without one, alarms
   * show only in the AWS console.
   */
  alarmEmail: string | undefined;
  /**
   * Public URL of the APIs, with which play URLs start, if your own CDN or proxy is in front of the APIs;
   * undefined if not.
   */
  publicUrl: string | undefined;
  /**
   * Your domain for the APIs, and the ARN of its ACM certificate in the stage's Region. The domain's DNS
   * record has to point to the stack output `DomainTarget`. `publicUrl` defaults to this domain.
   */
  domain: { name: string; certificateArn: string } | undefined;
  /**
   * Whether the stack creates the logging role of API Gateway, which applies to the whole account and Region.
   * Use `false` if the account already has a logging role, because a deploy with `true` would replace that
   * role.
   */
  createsLogRole: boolean;
  /**
   * Whether the table, its keys and the logs remain when the stack is deleted. Also protects the table
   * against deletion.
   */
  keepsData: boolean;
  /**
   * Name and stream ARN of a table restored from a backup, to use instead of the stack's own table. With
   * `keepsData`, the stack's own table remains in the account. Without `keepsData`, the deploy deletes the
   * stack's own table.
   */
  restoredTable: { name: string; streamArn: string } | undefined;
  /** Log retention in days. CloudWatch Logs allows only certain values. */
  logRetentionDays: number;
  /**
   * Reserved concurrency of the authorizer, which is also its maximum concurrency; about 50 for production.
   * The reservation keeps other functions from using up the quota that the authorizer needs. Undefined
   * reserves nothing. A new account's quota may be only 10 concurrent invocations. On such an account, any
   * reservation fails, because Lambda requires that 100 remain unreserved.
   */
  authorizerConcurrency: number | undefined;
  /**
   * Reserved concurrency of each of the two Lambda functions of play pages, which is also its maximum
   * concurrency; about 200 for production. Anybody can call these functions, so their maximum protects the
   * rest of the account's quota for hosts' requests.
   */
  playConcurrency: number | undefined;
  /**
   * Maximum concurrency of a queue's worker, 2 to 1,000. Overrides `maxConcurrency` in `workers.ts`. For the
   * queue `deliveries`, each concurrent invocation makes about 80 webhook calls per second if the receivers
   * respond within 100 ms.
   */
  queueConcurrency: Partial<Record<QueueName, number>>;
  /**
   * Public randomness for queued free spins: a drand beacon with the scheme bls-unchained-g1-rfc9380, and the
   * beacon's relays. With `'none'`, anybody with access to the draw key can predict queued spins.
   */
  beacon: StageBeacon | 'none';
  /**
   * Former values of `beacon`. A queued free spin uses the beacon that was set when the spin was queued.
   * After a change of `beacon`, list the former beacon here for four days, until the spins queued before the
   * change have run and their books are closed.
   */
  formerBeacons: StageBeacon[];
  /** Limits for each API method: requests per second, and the largest burst of requests. */
  requestsPerSecond: number;
  burst: number;
  /**
   * Limits for the requests that one organization sends with its API keys. Organizations are spread over 32
   * usage keys of API Gateway. Organizations with the same usage key share the limits. Undefined sets no
   * limits.
   */
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

/** The settings of each stage in AWS. Fill these in before a deploy. */
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

/** Returns the public URL of a stage's APIs, or undefined if it is API Gateway's own URL. */
export const publicUrlOf = ({ publicUrl, domain }: StageSettings): string | undefined =>
  publicUrl ?? (domain && `https://${domain.name}`);

/** Returns the name of a stage's CloudFormation stack. Operators' commands find the stack by this name. */
export const stackNameOf = (stage: DeployedStage) => `incentives-${stage}`;

/**
 * Returns the name of the stack output that contains the value of an environment variable, such as
 * `TableName` for `TABLE_NAME`. CloudFormation allows no underscores in output names.
 */
export const outputOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the text if it is the name of a stage in AWS, and undefined if it is not. */
export function deployedStage(text: unknown): DeployedStage | undefined {
  return Object.keys(stages).find((name): name is DeployedStage => name === text);
}
