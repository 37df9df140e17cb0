import { join } from 'node:path';
import { Duration, Size } from 'aws-cdk-lib';
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

type FunctionOptions = {
  /** Path of the function's file below `functions/`, without its extension. */
  name: string;
  access: Access;
  timeoutSeconds: number;
  memoryMb: number;
  /** If absent, the function has a log group of its own. */
  logGroup?: LogGroup;
  /** Size of `/tmp` in megabytes; Lambda's default of 512 if absent. */
  diskMb?: number;
  threads?: number;
  statements?: PolicyStatement[];
  /**
   * Reserved and maximum concurrency. If absent, the function shares the account's concurrency quota with
   * other functions.
   */
  reservedConcurrency?: number | undefined;
  /**
   * Whether the function sends to the queue that invokes it. By default, Lambda stops such loops after 16 invocations.
   */
  sendsToItself?: boolean;
};

export const constructIdOf = (name: string) => name.replaceAll('/', '-');

export const functionNameOf = (name: string, stage: DeployedStage) =>
  `${stackNameOf(stage)}-${constructIdOf(name)}`;

/** Creates a Lambda function whose IAM role allows only the declared access and its own logs. */
export function createFunction(
  home: Construct,
  options: FunctionOptions,
  resources: StageResources,
): LambdaFunction {
  const { name, access, statements = [], threads, reservedConcurrency, sendsToItself = false } = options;
  const logGroup = options.logGroup ?? new LogGroup(home, 'Log', resources.logs);
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
    ...(options.diskMb ? { ephemeralStorageSize: Size.mebibytes(options.diskMb) } : {}),
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
