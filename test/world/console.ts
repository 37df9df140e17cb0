/** Opens the operators' console in a simulated world. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { nouns } from '../../infra/operate/admin/cli.ts';
import type { RunRequest, RunResult } from '../../infra/operate/console/bridge.ts';
import type { CommandResult } from './actors/api.ts';
import { stage } from './deployment.ts';
import type { HttpModule } from './http.ts';
import type { Process } from './operator.ts';
import type { Timeline } from './timeline.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type Response = { status: number; headers: Record<string, string>; body: string };
type StartConsole = (options: { stage: string }) => Promise<{ link: string }>;

/** An open console. `run` sends a command with the request that the console's page would send. */
export type ConsoleServer = { run(args: string[], files: Record<string, string>): Promise<CommandResult> };

const port = 3011;
const origin = `http://127.0.0.1:${port}`;

/** Starts a console's server and opens the link that it prints. Throws if the server refuses the link. */
export async function openConsole(
  start: (http: Partial<HttpModule>) => Process,
  timeline: Timeline,
): Promise<ConsoleServer> {
  let handler: Handler | undefined;
  const createServer = (answer: Handler) => {
    handler = answer;
    const server = Object.assign(new EventEmitter(), {
      listen: () => timeline.after(1, () => server.emit('listening')),
      address: () => ({ port }),
    });
    return server;
  };
  const { exports, enter } = start({ createServer });
  const { link } = await (exports.startConsole as StartConsole)({ stage });
  const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
    new Promise<Response>((resolve) => {
      timeline.after(1, () => {
        enter();
        const request = Object.assign(Readable.from([Buffer.from(body)]), {
          method,
          url: path,
          headers: { host: `127.0.0.1:${port}`, ...headers },
          socket: { localPort: port },
        });
        handler!(request as unknown as IncomingMessage, responseFor(resolve) as unknown as ServerResponse);
      });
    });
  const { pathname, search } = new URL(link);
  const opened = await send('GET', pathname + search, { 'sec-fetch-site': 'none' });
  const cookie = opened.headers['set-cookie']?.split(';')[0] ?? '';
  const page = await send('GET', '/', { cookie });
  if (opened.status !== 303 || page.status !== 200) throw new Error(`the console answers ${page.status}`);
  const ofPage = {
    cookie,
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    'x-incentives-page': '1',
  };
  return {
    async run(args, files) {
      const { status, body } = await send('POST', '/run', ofPage, JSON.stringify(requestOf(args, files)));
      if (status !== 200) throw new Error(`the console answers ${status}: ${body}`);
      const { exit_code, output, message } = JSON.parse(body) as RunResult;
      return { exitCode: exit_code, printed: output ?? message };
    },
  };
}

function responseFor(resolve: (response: Response) => void) {
  let head: Omit<Response, 'body'>;
  const response = {
    writeHead(status: number, headers: Record<string, string>) {
      head = { status, headers };
      return response;
    },
    end: (body = '') => resolve({ ...head, body }),
  };
  return response;
}

/** Converts a command line to the request that the console's page would send. Files are sent as their contents. */
function requestOf([noun = '', verb = '', ...args]: string[], files: Record<string, string>): RunRequest {
  const values: RunRequest['values'] = {};
  for (let rest = args; rest.length > 0; ) {
    const [first = '', second, ...others] = rest;
    const isOption = first.startsWith('--');
    const hasValue = isOption && second !== undefined && !second.startsWith('--');
    const name = isOption ? first.slice(2) : String(nouns.get(noun)?.verbs[verb]?.positional);
    if (isOption) values[name] = hasValue ? (files[second] ?? second) : true;
    else values[name] = first;
    rest = hasValue ? others : rest.slice(1);
  }
  return { noun, verb, values };
}
