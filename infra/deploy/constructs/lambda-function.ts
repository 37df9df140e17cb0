import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Access } from '../../../shared/api/route.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import { environmentFor } from './environment.ts';
import { statementsFor } from './grants.ts';
import type { StageResources } from './stage-resources.ts';

/** What one function is, whatever calls it. */
export type FunctionOptions = {
  /** The path of its file under `functions/`. */
  name: string;
  access: Access;
  timeoutSeconds: number;
  memoryMb: number;
  threads?: number;
  /** What it needs beyond its declared access, such as to read from the queue that feeds it. */
  statements?: PolicyStatement[];
  /** Concurrent executions of its own, which are also the most that it gets; shared ones if absent. */
  reservedConcurrency?: number | undefined;
  /** Whether what it sends may come back to it without end; Lambda ends such a chain after 16 calls otherwise. */
  feedsItself?: boolean;
};

/** A function's name without slashes, as names of AWS resources and constructs have it. */
export const idOf = (name: string) => name.replaceAll('/', '-');

/** The name that a stage's function has in AWS. */
export const functionNameOf = (name: string, stage: DeployedStage) => `${stackNameOf(stage)}-${idOf(name)}`;

/** A Lambda function with a log of its own, and a role that allows its declared access, this log and nothing else. */
export function createFunction(
  home: Construct,
  options: FunctionOptions,
  resources: StageResources,
): LambdaFunction {
  const { name, access, statements = [], threads, reservedConcurrency, feedsItself = false } = options;
  const logGroup = new LogGroup(home, 'Log', resources.logs);
  const writeLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  const role = new Role(home, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      access: new PolicyDocument({
        statements: [writeLog, ...statementsFor(home, access, resources), ...statements],
      }),
    },
  });
  return new LambdaFunction(home, 'Function', {
    functionName: functionNameOf(name, resources.stage),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(join(resources.bundles, name)),
    handler: 'index.handler',
    timeout: Duration.seconds(options.timeoutSeconds),
    memorySize: options.memoryMb,
    environment: {
      ...environmentFor(access, resources),
      ...(threads ? { UV_THREADPOOL_SIZE: String(threads) } : {}),
    },
    role: role.withoutPolicyUpdates(),
    logGroup,
    ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
    ...(feedsItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
  });
}
