import { quicknet } from '../../shared/amoe/drand.ts';
import type { QueueName } from '../../shared/environment.ts';
import type { Stage } from '../../shared/stage.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';

/** A stage that runs in AWS. The local stage is none of these; `infra/develop/local` has its settings. */
export type DeployedStage = Exclude<Stage, 'local'>;

/** All in which deployed stages differ. What is here is what every deploy of the stage sets. */
export type StageSettings = {
  /** Who gets a mail for every alarm. Without it alarms only show in the console, and production does not deploy. */
  alarmEmail: string | undefined;
  /** What play URLs begin with: `https://` and a domain of your own in front of both APIs. Without it, one of their own. */
  publicUrl: string | undefined;
  /**
   * A domain of your own at which API Gateway serves the APIs, with the ARN of its certificate in ACM of the same region.
   * The stack's output `DomainTarget` is what its DNS record has to name, and `publicUrl` is this domain unless it is set.
   */
  domain: { name: string; certificateArn: string } | undefined;
  /**
   * Whether the stack makes the role with which API Gateway writes logs, and sets it for the whole account and region.
   * Turn it off if the account has one already: a deploy would put this one in its place.
   */
  createsLogRole: boolean;
  /** Whether the table, its key and the logs outlive the stack, and the table refuses to be deleted. */
  keepsData: boolean;
  /**
   * A table to run on in place of the stack's own, once it was restored from a backup: its name and its stream's ARN. The
   * one that the stack had until then stays in the account if `keepsData`, and is deleted otherwise.
   */
  restoredTable: { name: string; streamArn: string } | undefined;
  /** How long logs are kept; one of the spans that CloudWatch Logs knows. */
  logRetentionDays: number;
  /**
   * Concurrent executions that Lambda reserves for the authorizer, and allows it at most, so that no other function
   * of the account can shut callers out. None if undefined: Lambda keeps 100 of the account's quota unreserved, and a
   * new account's quota may be 10.
   */
  authorizerConcurrency: number | undefined;
  /**
   * The same for each of the two functions of play pages, which anybody can call: so that a flood of them leaves the rest
   * of the account's quota to hosts.
   */
  playConcurrency: number | undefined;
  /** How many executions of a queue's worker there are at a time at most, from 2 to 1,000, if not those of `workers.ts`. */
  queueConcurrency: Partial<Record<QueueName, number>>;
  /**
   * The public randomness that queued free spins mix in: a beacon of drand's scheme bls-unchained-g1-rfc9380, and the
   * relays that serve it. With `'none'` whoever may use the key of draws could know what queued spins will come to.
   */
  beacon: StageBeacon | 'none';
  /** Beacons that the stage has promised earlier: the spins queued with such a promise still wait for its rounds. */
  formerBeacons: StageBeacon[];
  /** Requests per second that each method lets through, and how many at once above that. */
  requestsPerSecond: number;
  burst: number;
  /** The same for one organization, so that none can use up what is there for all; undefined: it has no limit of its own. */
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

/** The settings of each stage: the one file to fill in before a deploy. */
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

/** Where hosts and players reach a stage, if not at the API's own address. */
export const publicUrlOf = ({ publicUrl, domain }: StageSettings): string | undefined =>
  publicUrl ?? (domain && `https://${domain.name}`);

/** The name of a stage's stack, by which the operator's commands find it too. */
export const stackNameOf = (stage: DeployedStage) => `incentives-${stage}`;

/**
 * The stack tells the operator's commands what its functions find in their environment: the output of a variable
 * has the same words, `TableName` for `TABLE_NAME`, since an output's name may have no underscore.
 */
export const outputOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** The stage that a text names, or undefined. */
export function deployedStage(text: unknown): DeployedStage | undefined {
  return Object.keys(stages).find((name): name is DeployedStage => name === text);
}
