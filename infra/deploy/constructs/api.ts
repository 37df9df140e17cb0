import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  IdentitySource,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RequestAuthorizer,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { errorAnswer } from '../../../shared/api/error-answer.ts';
import { failureAnswer } from '../../../shared/api/failure-page.ts';
import { methodsOf, type Route } from '../../../shared/api/route.ts';
import { authorizerTtlSeconds } from '../../../shared/stage.ts';
import { gatewayRefusals, playGatewayRefusals, playPath } from '../endpoints.ts';
import { type DeployedStage, type StageSettings, stackNameOf } from '../stages.ts';
import { addGatewayResponses } from './gateway-responses.ts';

type Options = { stage: DeployedStage; settings: StageSettings; logs: LogGroupProps };

export type DeployedApis = {
  /** The API for hosts. It has all endpoints, also those of the play pages. */
  api: RestApi;
  playApi: RestApi;
  accessLog: LogGroup;
};

/** Creates both APIs without methods, which `addEndpoints` adds. */
export function createApis(scope: Construct, { stage, settings, logs }: Options): DeployedApis {
  const accessLog = new LogGroup(scope, 'AccessLog', logs);
  const isHidden = settings.domain?.isOnlyAddress ?? false;
  const api = createApi(scope, 'RestApi', isHidden, {
    restApiName: stackNameOf(stage),
    ...(settings.createsLogRole ? logRole : { cloudWatchRole: false }),
    deployOptions: { stageName: stage, ...deployOptions(accessLog, settings, '') },
  });
  const playApi = createApi(scope, 'PlayApi', isHidden, {
    restApiName: `${stackNameOf(stage)}-play`,
    cloudWatchRole: false,
    // API Gateway puts the stage name before each path. With the name `play`, paths are the same as at a custom domain.
    deployOptions: { stageName: playPath, ...deployOptions(accessLog, settings, `/${playPath}`) },
  });
  const account = api.node.tryFindChild('Account');
  if (account) playApi.deploymentStage.node.addDependency(account);
  if (settings.domain) addDomain({ api, playApi }, settings.domain);
  addGatewayResponses(api, gatewayRefusals, errorAnswer);
  addGatewayResponses(playApi, playGatewayRefusals, failureAnswer);
  return { api, playApi, accessLog };
}

function createApi(scope: Construct, id: string, isHidden: boolean, props: RestApiProps): RestApi {
  const api = new RestApi(scope, id, {
    // Avoids an edge endpoint, because its CloudFront distribution rejects GET requests with a body, which hosts may
    // send.
    endpointTypes: [EndpointType.REGIONAL],
    // Makes API Gateway pass request bodies of any type or compression to the functions unchanged.
    binaryMediaTypes: ['*/*'],
    disableExecuteApiEndpoint: isHidden,
    ...props,
  });
  // Removes CDK's default stack output with the API's URL, because the stack adds its own outputs.
  api.node.tryRemoveChild('Endpoint');
  Validations.of(api).acknowledge(...acceptedFindings);
  return api;
}

export const originOf = (api: RestApi): string => {
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}`;
};

type Endpoints = {
  endpoints: { route: Route; target: LambdaFunction }[];
  authorizer: LambdaFunction;
};

/** Adds an API Gateway method for each endpoint, with the authorizer if the endpoint needs an API key. */
export function addEndpoints(scope: Construct, { api, playApi }: DeployedApis, options: Endpoints): void {
  const { endpoints, authorizer } = options;
  const ofPlayers = endpoints.filter(({ route }) => route.credential === 'play-token');
  const invoker = createInvoker(api, [authorizer, ...endpoints.map(({ target }) => target)]);
  const playInvoker = createInvoker(
    playApi,
    ofPlayers.map(({ target }) => target),
  );
  const withKey = {
    authorizationType: AuthorizationType.CUSTOM,
    authorizer: keyAuthorizer(scope, authorizer, invoker),
  };
  const withoutKey = { authorizationType: AuthorizationType.NONE };
  for (const { route, target } of endpoints) {
    // Deploys the play API before the functions that create play URLs, so that every new play URL works.
    if (route.access.playUrls) target.node.addDependency(playApi);
    const resource = api.root.resourceForPath(route.path);
    const access = route.credential ? withoutKey : withKey;
    const integration = integrationWith(target, invoker);
    for (const method of methodsOf(route)) resource.addMethod(method, integration, access);
  }
  for (const { route, target } of ofPlayers) {
    const resource = playApi.root.resourceForPath(route.path.slice(`/${playPath}`.length));
    const integration = integrationWith(target, playInvoker);
    for (const method of methodsOf(route)) resource.addMethod(method, integration, withoutKey);
  }
}

/**
 * One role by which an API calls its functions. A permission for each method would take 40 of the 500 resources that a
 * stack can have.
 */
function createInvoker(api: RestApi, functions: LambdaFunction[]): IRole {
  const invoke = new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: functions.map(({ functionArn }) => functionArn),
  });
  return new Role(api, 'Invoker', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { invoke: new PolicyDocument({ statements: [invoke] }) },
  }).withoutPolicyUpdates();
}

const integrationWith = ({ functionArn }: LambdaFunction, credentialsRole: IRole) =>
  new AwsIntegration({
    service: 'lambda',
    proxy: true,
    path: `2015-03-31/functions/${functionArn}/invocations`,
    options: { credentialsRole },
  });

/** Adds the custom domain, whose DNS record has to point to the stack output `DomainTarget`. */
function addDomain(
  { api, playApi }: Pick<DeployedApis, 'api' | 'playApi'>,
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

/** Keeps the logging role when the stack is deleted, because other stacks may use the role. */
const logRole = { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN };

const acceptedFindings = [
  {
    id: 'AwsSolutions-APIG2',
    reason: 'Each endpoint validates its input by schemas, with the messages of the contract',
  },
  {
    id: 'AwsSolutions-APIG3',
    reason: 'Callers are host servers with an API key. Operators can put a firewall in front',
  },
  {
    id: 'AwsSolutions-APIG4',
    reason:
      "Play pages need no authorizer, since their token is the credential; neither does staging's documentation",
  },
  {
    id: 'AwsSolutions-APIG6',
    reason: 'Execution logs would contain the paths of play URLs; the access log suffices',
  },
  { id: 'AwsSolutions-COG4', reason: 'Callers are host servers with an API key, not people with a password' },
  {
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]`,
    reason: "AWS's managed policy for the account's API Gateway logging role",
  },
];

function keyAuthorizer(scope: Construct, handler: LambdaFunction, assumeRole: IRole) {
  return new RequestAuthorizer(scope, 'Authorizer', {
    handler,
    assumeRole,
    identitySources: [IdentitySource.header('Authorization')],
    resultsCacheTtl: Duration.seconds(authorizerTtlSeconds),
  });
}

/** The access log shows each path with `pathPrefix` before it. */
function deployOptions(accessLog: LogGroup, settings: StageSettings, pathPrefix: string) {
  const line = { ...accessLogLine, path: pathPrefix + accessLogLine.path };
  return {
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(line)),
    // Turns execution logs off, because execution logs would contain play URLs, which are credentials.
    loggingLevel: MethodLoggingLevel.OFF,
    dataTraceEnabled: false,
    throttlingRateLimit: settings.requestsPerSecond,
    throttlingBurstLimit: settings.burst,
  };
}

/** `path` has parameter names instead of values, because play URLs are credentials. */
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

export const accessLogFields = (...names: (keyof typeof accessLogLine)[]): string => names.join(', ');
