import type { QueueName } from '../../shared/environment.ts';
import type { Stage } from '../../shared/stage.ts';
import type { TimestampAuthority } from '../../shared/stage-authorities.ts';

/** A stage that runs in AWS. The settings of the local stage are in `infra/develop/local`. */
export type DeployedStage = Exclude<Stage, 'local'>;

/** Settings of a stage that runs in AWS. Every deploy applies all of them. */
export type StageSettings = {
  /** The only AWS account and Region to which the stage is deployed; required in production. */
  deploysTo: { account: string; region: string } | undefined;
  /**
   * Email address that receives every alarm; required in production. Without it, alarms show only in the AWS
   * console.
   */
  alarmEmail: string | undefined;
  /** Public URL at the start of play URLs; set it if your own CDN or proxy serves the APIs. */
  publicUrl: string | undefined;
  /**
   * Domain for the APIs, with its ACM certificate in the stage's Region. Point its DNS record to the output
   * `DomainTarget`. `isOnlyAddress` switches API Gateway's own addresses off, so that nobody passes a firewall in front
   * of the domain.
   */
  domain: { name: string; certificateArn: string; isOnlyAddress?: boolean } | undefined;
  /**
   * Whether the stack creates API Gateway's logging role, one per account and Region. With `true`, a deploy
   * replaces an existing logging role.
   */
  createsLogRole: boolean;
  /** Whether the table, keys and logs outlive a deleted stack. Also protects the table against deletion. */
  keepsData: boolean;
  /**
   * A table restored from a backup, which replaces the stack's own table. Without `keepsData`, the deploy
   * deletes the stack's own table.
   */
  restoredTable: { name: string; streamArn: string } | undefined;
  /**
   * `STANDARD_INFREQUENT_ACCESS` stores for 40% of the price, and writes for 125%: cheaper once the table holds what a
   * year of a million users leaves. May change at any time.
   */
  tableClass: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS';
  /** Log retention in days. CloudWatch Logs allows only certain values. */
  logRetentionDays: number;
  /**
   * Reserved concurrency of the authorizer; about 50 for production. Undefined if the AWS account is new: Lambda
   * requires 100 unreserved executions, and a new account's quota is hardly larger.
   */
  authorizerConcurrency: number | undefined;
  /**
   * Reserved and maximum concurrency of each play page function; about 200 for production. The limit keeps play pages
   * from using the concurrency that hosts' requests need.
   */
  playConcurrency: number | undefined;
  /**
   * Maximum concurrency of the worker on each queue, 2 to 1,000; overrides `workers.ts`. For `deliveries`, each
   * invocation makes about 80 webhook calls per second.
   */
  queueConcurrency: Partial<Record<QueueName, number>>;
  /**
   * The timestamp authorities that confirm when a book existed, in order of preference; production needs one. `root` is
   * the hex SHA-256 of a certificate in their tokens, or of a root that Node trusts.
   * Keep a former authority, or a former root with the same URL, at the end of the list for two days: the check of
   * books trusts only listed roots.
   */
  timestampAuthorities: TimestampAuthority[];
  /** Limits for each API method: requests per second, and the largest burst of requests. */
  requestsPerSecond: number;
  burst: number;
};

// Plain HTTP is safe, because each token is signed. The roots are DigiCert Trusted Root G4 and USERTrust RSA.
const timestampAuthorities: TimestampAuthority[] = [
  {
    url: 'http://timestamp.digicert.com',
    root: '552f7bdcf1a7af9e6ce672017f4f12abf77240c78e761ac203d1d9d20ac89988',
  },
  {
    url: 'http://timestamp.sectigo.com',
    root: 'e793c9b02fd8aa13e21c31228accb08119643b749c898964b1746d46c3d4cbd2',
  },
];

/** The settings of each stage in AWS. Fill these in before a deploy. */
export const stages: Record<DeployedStage, StageSettings> = {
  staging: {
    deploysTo: undefined,
    alarmEmail: undefined,
    publicUrl: undefined,
    domain: undefined,
    createsLogRole: true,
    keepsData: false,
    restoredTable: undefined,
    tableClass: 'STANDARD',
    logRetentionDays: 30,
    authorizerConcurrency: undefined,
    playConcurrency: undefined,
    queueConcurrency: {},
    timestampAuthorities,
    requestsPerSecond: 200,
    burst: 400,
  },
  production: {
    deploysTo: undefined,
    alarmEmail: undefined,
    publicUrl: undefined,
    domain: undefined,
    createsLogRole: true,
    keepsData: true,
    restoredTable: undefined,
    tableClass: 'STANDARD',
    logRetentionDays: 365,
    authorizerConcurrency: undefined,
    playConcurrency: undefined,
    queueConcurrency: {},
    timestampAuthorities,
    requestsPerSecond: 2000,
    burst: 2000,
  },
};

/** Returns the configured public URL of a stage's APIs. Returns undefined if none is configured. */
export const publicUrlOf = ({ publicUrl, domain }: StageSettings): string | undefined =>
  publicUrl ?? (domain && `https://${domain.name}`);

/** Returns the name of a stage's CloudFormation stack. Operators' commands find the stack by this name. */
export const stackNameOf = (stage: DeployedStage) => `incentives-${stage}`;

/** Returns the name of the stack output for an environment variable, such as `TableName` for `TABLE_NAME`. */
export const outputOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the text if it is the name of a stage in AWS, and undefined if it is not. */
export function deployedStage(text: unknown): DeployedStage | undefined {
  return Object.keys(stages).find((name): name is DeployedStage => name === text);
}
