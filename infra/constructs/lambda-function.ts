import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
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
import type { Access } from '../../shared/api/route.ts';
import { stackNameOf, stages } from '../stages.ts';
import { environmentFor } from './environment.ts';
import { statementsFor } from './grants.ts';
import type { Surroundings } from './stage-resources.ts';

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
  /** Whether it may be fed with what it sends itself, however often; Lambda ends such a chain after 16 calls. */
  feedsItself?: boolean;
};

/** A function's name where no slash may be: in names of AWS resources and constructs. */
export const idOf = (name: string) => name.replaceAll('/', '-');

/** A Lambda function with a log of its own, and a role that allows its declared access, this log and nothing else. */
export function createFunction(
  home: Construct,
  { name, access, timeoutSeconds, memoryMb, threads, statements = [], feedsItself = false }: FunctionOptions,
  around: Surroundings,
): LambdaFunction {
  const { keepsData, logRetentionDays } = stages[around.stage];
  const logGroup = new LogGroup(home, 'Log', {
    retention: logRetentionDays,
    removalPolicy: keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const writeLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  const role = new Role(home, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      access: new PolicyDocument({
        statements: [writeLog, ...statementsFor(home, access, around), ...statements],
      }),
    },
  });
  return new LambdaFunction(home, 'Function', {
    functionName: `${stackNameOf(around.stage)}-${idOf(name)}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(join(around.bundles, name)),
    handler: 'index.handler',
    timeout: Duration.seconds(timeoutSeconds),
    memorySize: memoryMb,
    environment: {
      ...environmentFor(access, around),
      ...(threads ? { UV_THREADPOOL_SIZE: String(threads) } : {}),
    },
    role: role.withoutPolicyUpdates(),
    logGroup,
    ...(feedsItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
  });
}
