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
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Route } from '../../shared/api/route.ts';
import { usageKey, usageKeys } from '../../shared/usage-key.ts';
import { authorizerTtlSeconds } from '../endpoints.ts';
import { type DeployedStage, type StageSettings, stackNameOf } from '../stages.ts';
import { addGatewayResponses } from './gateway-responses.ts';

type Options = {
  stage: DeployedStage;
  settings: StageSettings;
  logs: LogGroupProps;
  /** Each endpoint with its function. */
  endpoints: { route: Route; target: LambdaFunction }[];
  authorizer: LambdaFunction;
};

/** An API, and the log with a line for each of its requests. */
export type DeployedApi = { api: RestApi; accessLog: LogGroup };

/**
 * The REST API: a method for each endpoint, the authorizer in front of all that need an API key. A REST API takes a
 * path with a slash at its end for the path without: `/webhooks/` comes to the method of `/webhooks`.
 */
export function createApi(scope: Construct, options: Options): DeployedApi {
  const { stage, settings, logs, endpoints, authorizer } = options;
  const accessLog = new LogGroup(scope, 'AccessLog', logs);
  const api = new RestApi(scope, 'RestApi', {
    restApiName: stackNameOf(stage),
    // An edge endpoint is a CloudFront distribution, which refuses a GET with a body.
    endpointTypes: [EndpointType.REGIONAL],
    // Bodies pass as the bytes they are, whatever their type or compression; text in responses stays text.
    binaryMediaTypes: ['*/*'],
    ...(settings.organizationLimit ? { apiKeySourceType: ApiKeySourceType.AUTHORIZER } : {}),
    ...(settings.createsLogRole ? logRole : { cloudWatchRole: false }),
    deployOptions: deployOptions(accessLog, options),
  });
  // The stack has an output of its own for the address.
  api.node.tryRemoveChild('Endpoint');
  const withKey = {
    authorizationType: AuthorizationType.CUSTOM,
    authorizer: keyAuthorizer(scope, authorizer),
    // The usage key that the authorizer names; callers have none.
    apiKeyRequired: settings.organizationLimit !== undefined,
  };
  for (const { route, target } of endpoints) {
    const integration = new LambdaIntegration(target, { allowTestInvoke: false });
    const resource = api.root.resourceForPath(route.path);
    resource.addMethod(
      route.method,
      integration,
      route.credential ? { authorizationType: AuthorizationType.NONE } : withKey,
    );
  }
  if (settings.organizationLimit) limitOrganizations(api, stage, settings.organizationLimit);
  if (settings.domain) addDomain(api, settings.domain);
  addGatewayResponses(api);
  Validations.of(api).acknowledge(...asIntended);
  return { api, accessLog };
}

/** Serves the API at a domain of the operator's, whose DNS record has to name the output `DomainTarget`. */
function addDomain(api: RestApi, { name, certificateArn }: NonNullable<StageSettings['domain']>): void {
  const { domainNameAliasDomainName } = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  new CfnOutput(Stack.of(api), 'DomainTarget', { value: domainNameAliasDomainName });
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

function deployOptions(accessLog: LogGroup, { stage, settings }: Options) {
  return {
    stageName: stage,
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
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
