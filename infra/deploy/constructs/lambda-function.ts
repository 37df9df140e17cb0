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

/** Properties of a function, whatever invokes it. */
export type FunctionOptions = {
  /** Path of the function's file under `functions/`, without its extension. */
  name: string;
  access: Access;
  timeoutSeconds: number;
  memoryMb: number;
  threads?: number;
  /** Permissions beyond the declared access, such as polling the function's queue. */
  statements?: PolicyStatement[];
  /** Reserved concurrency, which is also the function's maximum; if absent, the account's quota is shared. */
  reservedConcurrency?: number | undefined;
  /**
   * Whether the function may send messages to its own queue. Lambda would stop such a loop after 16
   * invocations.
   */
  sendsToItself?: boolean;
};

/** Returns a function's name without slashes, for names of AWS resources and constructs. */
export const idOf = (name: string) => name.replaceAll('/', '-');

/** Returns the name of a stage's function in AWS. */
export const functionNameOf = (name: string, stage: DeployedStage) => `${stackNameOf(stage)}-${idOf(name)}`;

/**
 * Creates a function with its own log group, and a role that allows the declared access and that log only.
 */
export function createFunction(
  home: Construct,
  options: FunctionOptions,
  resources: StageResources,
): LambdaFunction {
  const { name, access, statements = [], threads, reservedConcurrency, sendsToItself = false } = options;
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
    ...(sendsToItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
  });
}
