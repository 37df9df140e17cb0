/** The demo's server, which keeps the API key from the page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { changeRefusal, hostRefusal, originRefusal } from '../../common/page-guard.ts';
import { cachedAssets, pageHeaders, readBody, readJson, startPageServer } from '../../common/page-server.ts';
import { accountForPage } from './accounts.ts';
import { actionSchema, runAction, sessionSchema } from './actions.ts';
import { createPageFeed } from './feed.ts';
import { type ApiOptions, createHostApp, type HostApp } from './host.ts';
import { demoHtml } from './html.ts';
import { type PersonId, people, type ServerEvent } from './model.ts';

export type RunningDemo = { link: string; stop: () => Promise<void> };

/** Sends no API request until a browser opens the page, so that an unused demo registers no webhook. */
export async function startDemo(api: ApiOptions): Promise<RunningDemo> {
  const host = createHostApp(api, createPageFeed());
  const headers = pageHeaders(`frame-src ${new URL(api.baseUrl).origin}`);
  const { port, stop } = await startPageServer(0, (request, response) => {
    answer(request, response, { host, headers }).catch((error: unknown) => {
      console.error('demo:', error);
      if (!response.headersSent) response.writeHead(500, headers);
      response.end();
    });
  });
  // Uses `localhost`, because browsers send cookies of 127.0.0.1 to all its ports: the demo would get the console's
  // cookie.
  return { link: `http://localhost:${port}/`, stop };
}

type RequestContext = { host: HostApp; headers: Record<string, string> };
type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => void | Promise<void>;

const webhooksPath = '/webhooks/incentives';
const asset = cachedAssets(join(import.meta.dirname, 'page'));

const openRoutes: Record<string, Route> = {
  'GET /': (_, response, { headers }) => send(response, headers, 'text/html', demoHtml),
  'GET /demo.js': (_, response, { headers }) => send(response, headers, 'text/javascript', asset('main.tsx')),
  'GET /demo.css': (_, response, { headers }) => send(response, headers, 'text/css', asset('demo.css')),
  async [`POST ${webhooksPath}`](request, response, { host }) {
    const body = await readBody(request);
    response.writeHead(body ? await host.receive(body, request.headers) : 413).end();
  },
};

const pageRoutes: Record<string, Route> = {
  async 'GET /events'(request, response, { host, headers }) {
    await host.register(`http://127.0.0.1:${request.socket.localPort}${webhooksPath}`);
    const { api, feed } = host;
    const stored = host.accountOf(personOf(request));
    const person = stored?.account.person ?? null;
    const { origin } = new URL(api.baseUrl);
    const first: ServerEvent[] = [
      { type: 'hello', api: origin, organization_id: api.organizationId, person },
    ];
    if (stored) first.push({ type: 'account', account: accountForPage(stored) });
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    feed.add(response, person, first);
  },
  async 'POST /session'(request, response, { host, headers }) {
    const { data } = sessionSchema.safeParse(await readJson(request));
    if (!data) return sendJson(response, headers, { message: 'Unknown person.' }, 422);
    if (data.person) await host.signIn(data.person);
    const cookie = `${cookieName(request)}=${data.person ?? ''}; HttpOnly; SameSite=Strict; Path=/`;
    sendJson(response, { ...headers, 'set-cookie': cookie }, {});
  },
  async 'POST /actions'(request, response, { host, headers }) {
    const { data } = actionSchema.safeParse(await readJson(request));
    if (!data) return sendJson(response, headers, { message: 'Invalid action.' }, 422);
    const done = await runAction(data, host, host.accountOf(personOf(request)));
    if (!done) return sendJson(response, headers, { message: 'Not signed in.' }, 401);
    sendJson(response, headers, done);
  },
};

async function answer(request: IncomingMessage, response: ServerResponse, context: RequestContext) {
  const route = `${request.method} ${request.url?.split('?')[0]}`;
  const isOpen = Object.hasOwn(openRoutes, route);
  const refused =
    hostRefusal(request) ?? (isOpen ? undefined : (originRefusal(request) ?? changeRefusal(request)));
  if (refused) return sendJson(response, context.headers, { message: refused.message }, refused.status);
  if (isOpen) return openRoutes[route]!(request, response, context);
  if (Object.hasOwn(pageRoutes, route)) return pageRoutes[route]!(request, response, context);
  sendJson(response, context.headers, { message: 'Not found.' }, 404);
}

// The cookie's name contains the port, because browsers share cookies among all ports of a host name.
const cookieName = ({ socket }: IncomingMessage) => `golondrina-${socket.localPort}`;

/** Trusts the cookie, because anybody may sign in as any demo user. */
function personOf(request: IncomingMessage): PersonId | null {
  const cookies = (request.headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
  const name = cookies.find(([one]) => one === cookieName(request))?.[1] ?? '';
  return Object.hasOwn(people, name) ? (name as PersonId) : null;
}

function send(
  response: ServerResponse,
  headers: RequestContext['headers'],
  type: string,
  text: string,
  status = 200,
) {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(text);
}

const sendJson = (
  response: ServerResponse,
  headers: RequestContext['headers'],
  body: unknown,
  status = 200,
) => send(response, headers, 'application/json', JSON.stringify(body), status);
