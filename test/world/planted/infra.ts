import type { Bug } from './bug.ts';

const ofWorkers = ['test/infra/deploy/workers.test.ts'];
const ofStack = ['test/infra/deploy/stack.test.ts'];
const ofApi = ['test/infra/deploy/api.test.ts'];

/** Bugs that `npm run planted` plants in the code for the deployed stack and for operators' commands. */
export const infra: Bug[] = [
  {
    name: 'the midnight run is at midnight in UTC',
    file: 'infra/deploy/workers.ts',
    from: "expression: 'cron(0 0 * * ? *)', timezone: 'America/New_York'",
    to: "expression: 'cron(0 0 * * ? *)', timezone: 'UTC'",
  },
  {
    name: "a queue's visibility timeout is its function's",
    file: 'infra/deploy/workers.ts',
    from: 'visibilityTimeoutSeconds: 90,',
    to: 'visibilityTimeoutSeconds: 45,',
    tests: ofWorkers,
  },
  {
    name: 'a worker has no right to park',
    file: 'infra/deploy/workers.ts',
    from: "      parks: ['deliveries'],\n",
    to: '',
  },
  {
    name: "the stream's filter lets ticket transactions pass by",
    file: 'infra/deploy/workers.ts',
    from: 'S: recordKinds.map(',
    to: 'S: recordKinds.slice(1).map(',
  },
  {
    name: 'a worker that feeds itself is cut off by Lambda',
    file: 'infra/deploy/constructs/worker.ts',
    from: 'worker.access.sends?.includes(source.queue)',
    to: 'worker.access.parks?.includes(source.queue)',
    tests: ofWorkers,
  },
  {
    name: 'a batch of messages that failed in part is done',
    file: 'infra/deploy/constructs/worker.ts',
    from: '?? source.maxConcurrency,\n    reportBatchItemFailures: true,',
    to: '?? source.maxConcurrency,\n    reportBatchItemFailures: false,',
    tests: ofWorkers,
  },
  {
    name: 'a record that cannot be published takes its whole batch with it',
    file: 'infra/deploy/constructs/worker.ts',
    from: 'bisectBatchOnError: true,',
    to: 'bisectBatchOnError: false,',
    tests: ofWorkers,
  },
  {
    name: 'what is in the stream when a worker is deployed is passed over',
    file: 'infra/deploy/constructs/worker.ts',
    from: 'StartingPosition.TRIM_HORIZON',
    to: 'StartingPosition.LATEST',
    tests: ofWorkers,
  },
  {
    name: 'the stream has no images',
    file: 'infra/deploy/constructs/table.ts',
    from: 'StreamViewType.NEW_IMAGE',
    to: 'StreamViewType.KEYS_ONLY',
    tests: ofStack,
  },
  {
    name: 'production goes with its stack',
    file: 'infra/deploy/stages.ts',
    from: 'keepsData: true,',
    to: 'keepsData: false,',
    tests: ofStack,
  },
  {
    name: 'a revoked key is good for an hour',
    file: 'infra/deploy/endpoints.ts',
    from: 'export const authorizerTtlSeconds = 60;',
    to: 'export const authorizerTtlSeconds = 60 * 60;',
  },
  {
    name: 'endpoints of some stages ask for no key',
    file: 'infra/deploy/constructs/api.ts',
    from: 'route.credential ? withoutKey',
    to: 'route.credential || route.stages ? withoutKey',
    tests: ofApi,
  },
  {
    name: 'the gateway promises that a function that failed did nothing',
    file: 'infra/deploy/endpoints.ts',
    from: 'INTEGRATION_FAILURE: refusals.outcomeUnknown(),',
    to: 'INTEGRATION_FAILURE: refusals.unavailable(),',
  },
  {
    name: 'the gateway of play pages refuses in JSON',
    file: 'infra/deploy/constructs/api.ts',
    from: 'playGatewayRefusals, failureAnswer)',
    to: 'playGatewayRefusals, errorAnswer)',
    tests: ofApi,
  },
  {
    name: 'play URLs lead to the gateway of hosts',
    file: 'infra/deploy/incentives-stack.ts',
    from: 'playUrl: publicUrl ? undefined : originOf(api.playApi)',
    to: 'playUrl: undefined',
    tests: ofApi,
  },
  {
    name: 'play URLs are given out before they are served',
    file: 'infra/deploy/constructs/api.ts',
    from: 'if (route.access.playUrls) target.node.addDependency(playApi);',
    to: '',
    tests: ofApi,
  },
  {
    name: 'play URLs begin with the address of the API',
    file: 'shared/api/request.ts',
    from: "playBaseUrl: optionalVariable('PLAY_URL') ?? baseUrl",
    to: 'playBaseUrl: baseUrl',
    tests: ['test/api/endpoint.test.ts'],
  },
  {
    name: 'the access log has half of the path of play pages',
    file: 'infra/deploy/constructs/api.ts',
    from: 'path: pathPrefix + accessLogLine.path',
    to: 'path: accessLogLine.path',
    tests: ofApi,
  },
  {
    name: 'a number of daily spins turns their limit off',
    file: 'infra/operate/admin/limits.ts',
    from: "dailySpins !== 'off'",
    to: "dailySpins === 'on'",
    tests: ['test/games/operator.test.ts'],
  },
  {
    name: "a user's verified history ends one record early",
    file: 'infra/operate/admin/verify-history.ts',
    from: 'sequence <= user.sequence',
    to: 'sequence < user.sequence',
  },
];
