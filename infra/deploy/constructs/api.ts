import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RequestAuthorizer,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { errorAnswer } from '../../../shared/api/error-answer.ts';
import { failureAnswer } from '../../../shared/api/failure-page.ts';
import type { Route } from '../../../shared/api/route.ts';
import { usageKey, usageKeys } from '../../../shared/usage-key.ts';
import { authorizerTtlSeconds, gatewayRefusals, playGatewayRefusals, playPath } from '../endpoints.ts';
import { type DeployedStage, type StageSettings, stackNameOf } from '../stages.ts';
import { addGatewayResponses } from './gateway-responses.ts';

type Options = { stage: DeployedStage; settings: StageSettings; logs: LogGroupProps };

/** The APIs of a stage, and the log with a line for each of their requests. */
export type DeployedApi = {
  /** All endpoints, for hosts. */
  api: RestApi;
  /** Those of play pages once more, for players: a gateway answers in one form, and theirs is a page. */
  playApi: RestApi;
  accessLog: LogGroup;
};

/**
 * The REST APIs of a stage, without methods yet. A REST API takes a path with a slash at its end for the path without:
 * `/webhooks/` comes to the method of `/webhooks`.
 */
export function createApis(scope: Construct, { stage, settings, logs }: Options): DeployedApi {
  const accessLog = new LogGroup(scope, 'AccessLog', logs);
  const api = createApi(scope, 'RestApi', {
    restApiName: stackNameOf(stage),
    ...(settings.organizationLimit ? { apiKeySourceType: ApiKeySourceType.AUTHORIZER } : {}),
    ...(settings.createsLogRole ? logRole : { cloudWatchRole: false }),
    deployOptions: { stageName: stage, ...deployOptions(accessLog, settings, '') },
  });
  const playApi = createApi(scope, 'PlayApi', {
    restApiName: `${stackNameOf(stage)}-play`,
    cloudWatchRole: false,
    // Its stage is the first part of its paths, here as it is at a domain.
    deployOptions: { stageName: playPath, ...deployOptions(accessLog, settings, `/${playPath}`) },
  });
  const account = api.node.tryFindChild('Account');
  if (account) playApi.deploymentStage.node.addDependency(account);
  if (settings.domain) addDomain({ api, playApi }, settings.domain);
  addGatewayResponses(api, gatewayRefusals, errorAnswer);
  addGatewayResponses(playApi, playGatewayRefusals, failureAnswer);
  return { api, playApi, accessLog };
}

function createApi(scope: Construct, id: string, props: RestApiProps): RestApi {
  const api = new RestApi(scope, id, {
    // An edge endpoint is a CloudFront distribution, which refuses a GET with a body.
    endpointTypes: [EndpointType.REGIONAL],
    // Bodies pass as the bytes they are, whatever their type or compression; text in responses stays text.
    binaryMediaTypes: ['*/*'],
    ...props,
  });
  // The stack has outputs of its own for the addresses.
  api.node.tryRemoveChild('Endpoint');
  Validations.of(api).acknowledge(...asIntended);
  return api;
}

/** The address of an API itself, without its stage. */
export const originOf = (api: RestApi): string => {
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}`;
};

type Endpoints = {
  stage: DeployedStage;
  settings: StageSettings;
  /** Each endpoint with its function. */
  endpoints: { route: Route; target: LambdaFunction }[];
  authorizer: LambdaFunction;
};

/** Gives the APIs a method for each endpoint, and puts the authorizer in front of all that need an API key. */
export function addEndpoints(scope: Construct, { api, playApi }: DeployedApi, options: Endpoints): void {
  const { stage, settings, endpoints, authorizer } = options;
  const withKey = {
    authorizationType: AuthorizationType.CUSTOM,
    authorizer: keyAuthorizer(scope, authorizer),
    // The usage key that the authorizer names; callers have none.
    apiKeyRequired: settings.organizationLimit !== undefined,
  };
  const withoutKey = { authorizationType: AuthorizationType.NONE };
  for (const { route, target } of endpoints) {
    const integration = new LambdaIntegration(target, { allowTestInvoke: false });
    // In an update too, no URL leads to where nothing is served yet.
    if (route.access.playUrls) target.node.addDependency(playApi);
    const resource = api.root.resourceForPath(route.path);
    resource.addMethod(route.method, integration, route.credential ? withoutKey : withKey);
    if (route.credential !== 'play-token') continue;
    const path = route.path.slice(`/${playPath}`.length);
    playApi.root.resourceForPath(path).addMethod(route.method, integration, withoutKey);
  }
  if (settings.organizationLimit) limitOrganizations(api, stage, settings.organizationLimit);
}

/** Serves the APIs at a domain of the operator's, whose DNS record has to name the output `DomainTarget`. */
function addDomain(
  { api, playApi }: Pick<DeployedApi, 'api' | 'playApi'>,
  { name, certificateArn }: NonNullable<StageSettings['domain']>,
): void {
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  domain.addBasePathMapping(playApi, { basePath: playPath }).node.addDependency(playApi);
  new CfnOutput(Stack.of(api), 'DomainTarget', { value: domain.domainNameAliasDomainName });
}

/** One role for all APIs of an account and region: others may log with it, so it outlives the stack. */
const logRole = { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN };

/** Findings of the AWS Solutions checks that are intended. */
const asIntended = [
  {
    id: 'AwsSolutions-APIG2',
    reason: 'Each endpoint checks its input by its schemas, with the messages of the contract',
  },
  {
    id: 'AwsSolutions-APIG3',
    reason: 'Callers are host servers with an API key; an operator who wants a firewall puts it in front',
  },
  {
    id: 'AwsSolutions-APIG4',
    reason:
      "Only the play page's methods have no authorizer, whose token is the credential, and on staging the documentation",
  },
  {
    id: 'AwsSolutions-APIG6',
    reason: 'Execution logs would hold the paths of play URLs; the access log has what is needed',
  },
  { id: 'AwsSolutions-COG4', reason: 'Callers are host servers with an API key, not people with a password' },
  {
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]`,
    reason: "The policy made for the account's one role with which API Gateway writes its logs",
  },
];

/** Limits the requests of each organization, by the usage keys that the authorizer names. */
function limitOrganizations(
  api: RestApi,
  stage: DeployedStage,
  { requestsPerSecond, burst }: NonNullable<StageSettings['organizationLimit']>,
): void {
  const plan = api.addUsagePlan('Organizations', {
    throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
    apiStages: [{ stage: api.deploymentStage }],
  });
  for (let number = 0; number < usageKeys; number++) {
    plan.addApiKey(api.addApiKey(`Usage${number}`, { value: usageKey(stage, number) }));
  }
}

function keyAuthorizer(scope: Construct, handler: LambdaFunction) {
  return new RequestAuthorizer(scope, 'Authorizer', {
    handler,
    identitySources: [IdentitySource.header('Authorization')],
    resultsCacheTtl: Duration.seconds(authorizerTtlSeconds),
  });
}

/** How a stage is deployed whose paths are as those of its resources, after a beginning that they have in common. */
function deployOptions(accessLog: LogGroup, settings: StageSettings, beginning: string) {
  const line = { ...accessLogLine, path: beginning + accessLogLine.path };
  return {
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(line)),
    // Execution logs would hold the paths of play URLs, which are credentials.
    loggingLevel: MethodLoggingLevel.OFF,
    dataTraceEnabled: false,
    throttlingRateLimit: settings.requestsPerSecond,
    throttlingBurstLimit: settings.burst,
  };
}

/** One line for each request: the endpoint's path instead of the request's, no header, query or body. */
const accessLogLine = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  function_milliseconds: '$context.integrationLatency',
  function_status: '$context.integration.integrationStatus',
  function_request_id: '$context.integration.requestId',
  response_bytes: '$context.responseLength',
  organization_id: '$context.authorizer.organizationId',
  key_id: '$context.authorizer.principalId',
  refused: '$context.error.responseType',
};
