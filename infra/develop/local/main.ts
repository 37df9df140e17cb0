import { relative } from 'node:path';
import { styleText } from 'node:util';
import { Problem } from '../../common/problem.ts';
import { readStageFile, removeStageFile, stageFilePath, writeStageFile } from '../../common/stage-file.ts';
import type { LoggedRequest } from './api-server.ts';
import { checkPortIsFree } from './listen.ts';
import { exitNotStarted } from './not-started.ts';
import { parseStartOptions, usage } from './options.ts';
import type { LocalStage, startLocalStage } from './stage.ts';
import type { StartData } from './welcome.ts';

function refuseIfRunning(): void {
  const running = readStageFile();
  if (running) {
    throw new Problem(
      `A local stage is already running for this folder, at ${running.base_url} (process ${running.pid}). Use it, or stop it with Ctrl-C in its terminal.`,
    );
  }
}

const colors = { 2: 'green', 4: 'yellow', 5: 'red' } as const;

function printRequest({ method, path, status, ms, message }: LoggedRequest): void {
  const time = new Date().toTimeString().slice(0, 8);
  const color = colors[Math.floor(status / 100) as 2 | 4 | 5] ?? 'white';
  const line = `${styleText('dim', time)}  ${method.padEnd(6)} ${path}  ${styleText(color, String(status))}`;
  console.log(`${line}  ${styleText('dim', `${Math.round(ms)} ms`)}${message ? `  ${message}` : ''}`);
}

function printWelcome(
  stage: LocalStage,
  { organization_id, api_key, user_id }: StartData,
  { play, consoleLink, demoLink }: { play: string; consoleLink: string; demoLink: string },
  seconds: string,
): void {
  const headers = `-H 'Authorization: Bearer ${api_key}' -H 'X-Organization-Id: ${organization_id}'`;
  const body = `{"amount": 5, "description": "A gift", "idempotency_key": "first-try"}`;
  console.log(`
${styleText('bold', 'Incentives is running')} at ${styleText('cyan', stage.baseUrl)} (ready in ${seconds} s)

Demo host app, with each API request that it makes: ${styleText('cyan', demoLink)}
Operator's console: ${styleText('cyan', consoleLink)}
Guides and API reference: ${styleText('cyan', `${stage.baseUrl}/docs`)}

Try the API with a user who started with 100 tickets:

curl -s ${headers} ${stage.baseUrl}/users/${user_id}/tickets/balance

curl -s ${headers} -H 'Content-Type: application/json' -d '${body}' ${stage.baseUrl}/users/${user_id}/tickets/credit

curl -s ${headers} '${stage.baseUrl}/users/${user_id}/tickets/history?limit=5'

${play}
Get a URL for the truck or the flight game, in English or Spanish:

curl -s ${headers} -H 'Content-Type: application/json' -d '{"game": "truck", "lang": "es"}' ${stage.baseUrl}/users/${user_id}/games/play

Variables for the programs in the guides:

export INCENTIVES_URL=${stage.baseUrl}
export INCENTIVES_ORGANIZATION=${organization_id}
export INCENTIVES_KEY=${api_key}

Other commands read this from ${relative(process.cwd(), stageFilePath)}. Press Ctrl-C to stop.
`);
}

async function main(): Promise<void> {
  const { help, port, data } = parseStartOptions(process.argv.slice(2), process.env);
  if (help) return console.log(usage);
  refuseIfRunning();
  const onRequest = (entry: LoggedRequest) => {
    printRequest(entry);
  };
  // Loads the stage's code on demand, so that `--help` and errors are printed without delay.
  const starting = start({ port, data, onRequest });
  // Handles signals from the start, so that a stage stopped during startup leaves no child processes.
  let ending = false;
  const end = once(async (exitCode: number) => {
    ending = true;
    const started = await starting.catch(() => undefined);
    await started?.stop();
    removeStageFile();
    process.exit(exitCode);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  const stage = await starting;
  const greeting = await greet(stage).catch(async (error: unknown) => {
    if (!ending) console.error(error);
    return end(1);
  });
  if (!greeting) return;
  const { welcomed, ...links } = greeting;
  describeStage(stage, welcomed);
  printWelcome(stage, welcomed, links, (performance.now() / 1000).toFixed(1));
}

type StageOptions = Omit<Parameters<typeof startLocalStage>[0], 'startDatabase'>;

async function start(options: StageOptions): Promise<LocalStage> {
  await checkPortIsFree(options.port);
  const { startDynamodb } = await import('./dynamodb.ts');
  // Java starts while this process loads the rest.
  const database = startDynamodb({ folder: options.data });
  database.catch(() => {});
  try {
    const { startLocalStage } = await import('./stage.ts');
    return await startLocalStage({ ...options, startDatabase: () => database });
  } catch (error) {
    await database.then(({ stop }) => stop()).catch(() => {});
    throw error;
  }
}

function describeStage(stage: LocalStage, welcomed: StartData): void {
  const {
    baseUrl: base_url,
    tableName: table_name,
    dynamodbEndpoint: dynamodb_endpoint,
    environment,
  } = stage;
  writeStageFile({ pid: process.pid, base_url, ...welcomed, table_name, dynamodb_endpoint, environment });
}

async function greet(stage: LocalStage) {
  const { playLine, createStartData } = await import('./welcome.ts');
  const { startConsole } = await import('../../operate/console/server.ts');
  const { startDemo } = await import('../demo/server.ts');
  const { demoPageSettings } = await import('../demo/brand.ts');
  const { setPageSettings } = await import('../../operate/admin/page.ts');
  const welcomed = await createStartData(stage);
  const { link: consoleLink } = await startConsole({ stage: 'local' });
  const { baseUrl } = stage;
  const { organization_id: organizationId, api_key: apiKey } = welcomed.demo;
  const { link: demoLink } = await startDemo({ baseUrl, apiKey, organizationId });
  await setPageSettings(organizationId, demoPageSettings(demoLink), { operator: 'start', now: Date.now() });
  return { welcomed, play: await playLine(stage, welcomed), consoleLink, demoLink };
}

function once<A extends unknown[]>(run: (...args: A) => Promise<never>) {
  let running: Promise<never> | undefined;
  return (...args: A) => {
    running ??= run(...args);
    return running;
  };
}

main().catch((error: unknown) => exitNotStarted(error, usage));
