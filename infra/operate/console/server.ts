import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Stage } from '../../../shared/stage.ts';
import { cachedAssets, pageHeaders, readJson, startPageServer } from '../../common/page-server.ts';
import { explainError } from '../admin/explain-error.ts';
import { consoleRefusal, mayOpenConsole, sessionCookie } from './guard.ts';
import { consoleHtml, messageHtml } from './html.ts';

export type RunningConsole = { link: string; stop: () => Promise<void> };

/** Port 0 picks a free port. Throws a Problem if the port is in use. */
export async function startConsole({
  stage,
  port = 0,
}: {
  stage: Stage;
  port?: number;
}): Promise<RunningConsole> {
  const token = randomBytes(32).toString('base64url');
  const { port: own, stop } = await startPageServer(port, (request, response) => {
    answer(request, response, { stage, token }).catch((error: unknown) =>
      sendJson(response, 500, { message: explainError(error) }),
    );
  });
  return { link: `http://127.0.0.1:${own}/?token=${token}`, stop };
}

type GuardOptions = { stage: Stage; token: string };

async function answer(request: IncomingMessage, response: ServerResponse, { stage, token }: GuardOptions) {
  const url = URL.parse(request.url ?? '/', 'http://console');
  if (!url) return send(response, 400, 'text/html', messageHtml('This address is invalid.'));
  const { pathname, searchParams } = url;
  const tokenInUrl = searchParams.get('token');
  if (tokenInUrl !== null && request.method === 'GET' && mayOpenConsole(request, tokenInUrl, token)) {
    // Redirects, so that the token does not stay in the address bar or the browser's history.
    response.writeHead(303, { ...headers, location: '/', 'set-cookie': sessionCookie(request, token) });
    return response.end();
  }
  const refused = consoleRefusal(request, token);
  if (refused) return send(response, refused.status, 'text/html', messageHtml(refused.message));
  const route = routes[`${request.method} ${pathname}`];
  if (!route) return send(response, 404, 'text/html', messageHtml('Page not found.'));
  await route(request, response, stage);
}

/** Loaded at the first request, because the commands import most of the service. */
const bridge = () => import('./bridge.ts');

type Route = (request: IncomingMessage, response: ServerResponse, stage: Stage) => void | Promise<void>;
const routes: Record<string, Route> = {
  'GET /': (_, response, stage) => send(response, 200, 'text/html', consoleHtml(stage)),
  'GET /console.js': (_, response) => send(response, 200, 'text/javascript', asset('main.tsx')),
  'GET /console.css': (_, response) => send(response, 200, 'text/css', asset('console.css')),
  'GET /commands': async (_, response, stage) =>
    sendJson(response, 200, (await bridge()).shownCommands(stage)),
  'POST /run': async (request, response, stage) => {
    const { runShownCommand, runRequestSchema } = await bridge();
    const body = await readJson(request);
    const parsed = runRequestSchema.safeParse(body);
    if (!parsed.success)
      return sendJson(response, 422, { message: 'This request is no valid command, or longer than 64 MB.' });
    sendJson(response, 200, await runShownCommand(stage, parsed.data));
  },
};

const asset = cachedAssets(join(import.meta.dirname, 'page'));
const headers = pageHeaders();

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(text);
}

const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  send(response, status, 'application/json', JSON.stringify(body));
