/** What differs between the stages that are deployed: plain data. The local stage has its own in `infra/local`. */
import type { Route } from '../shared/api/route.ts';
import type { Stage } from '../shared/stage.ts';

export type DeployedStage = Exclude<Stage, 'local'>;

export type StageSettings = {
  /** Whether the table and its key outlive the stack, and the table refuses to be deleted. */
  keepsData: boolean;
  /** How long logs are kept; one of the spans that CloudWatch Logs knows. */
  logRetentionDays: number;
  /** Requests per second that the API lets through, and how many at once above that. */
  requestsPerSecond: number;
  burst: number;
};

export const stages: Record<DeployedStage, StageSettings> = {
  staging: { keepsData: false, logRetentionDays: 30, requestsPerSecond: 200, burst: 400 },
  production: { keepsData: true, logRetentionDays: 365, requestsPerSecond: 2000, burst: 2000 },
};

/** The name of a stage's stack, by which the operator's commands find it too. */
export const stackNameOf = (stage: DeployedStage) => `incentives-${stage}`;

/**
 * The stack tells the operator's commands what its functions find in their environment: the output of a variable
 * has the same words, `TableName` for `TABLE_NAME`, since an output's name may have no underscore.
 */
export const outputOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** The endpoints that exist on a stage. */
export const routesOf = (stage: Stage, routes: Route[]) =>
  routes.filter((route) => route.stages === undefined || route.stages.includes(stage));

/** The stage that a text names, or undefined. */
export function deployedStage(text: unknown): DeployedStage | undefined {
  return Object.keys(stages).find((name): name is DeployedStage => name === text);
}
