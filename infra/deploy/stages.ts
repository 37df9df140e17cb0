import type { QueueName } from '../../shared/environment.ts';
import type { Stage } from '../../shared/stage.ts';
import type { TimestampAuthority } from '../../shared/stage-authorities.ts';

/** The settings of the local stage are in `infra/develop/local`. */
export type DeployedStage = Exclude<Stage, 'local'>;

export type StageSettings = {
  deploysTo: { account: string; region: string } | undefined;
  /** Receives alarms. If undefined, alarms show only in the AWS console. */
  alarmEmail: string | undefined;
  /** Public URL at the start of play URLs; set it if your own CDN or proxy serves the APIs. */
  publicUrl: string | undefined;
  /**
   * Custom domain of the APIs: point its DNS record to the output `DomainTarget`. `isOnlyAddress` switches API
   * Gateway's own addresses off, so that nobody bypasses a firewall in front of the domain.
   */
  domain: { name: string; certificateArn: string; isOnlyAddress?: boolean } | undefined;
  /**
   * Creates the account's role for API logs, replacing an existing role: of two stages in one account, only one should.
   */
  createsLogRole: boolean;
  keepsData: boolean;
  /** A restored table to use instead of the stack's own, which the deploy deletes unless `keepsData`. */
  restoredTable: { name: string; streamArn: string } | undefined;
  /**
   * `STANDARD_INFREQUENT_ACCESS` stores for 40% of the price, and writes for 125%: cheaper once the table holds the
   * records of a million users for a year.
   */
  tableClass: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS';
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
   * Each `root` is the hex SHA-256 of a certificate in the authority's tokens, or of a root that Node trusts. Keep a
   * former authority, or a former root with the same URL, at the end of the list for two days: the check of books
   * trusts only listed roots.
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

/** Fill these in before a deploy. */
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

export const publicUrlOf = ({ publicUrl, domain }: StageSettings): string | undefined =>
  publicUrl ?? (domain && `https://${domain.name}`);

export const stackNameOf = (stage: DeployedStage) => `incentives-${stage}`;

export const stackOutputName = (variable: string) =>
  variable.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

export function findDeployedStage(text: unknown): DeployedStage | undefined {
  return Object.keys(stages).find((name): name is DeployedStage => name === text);
}
