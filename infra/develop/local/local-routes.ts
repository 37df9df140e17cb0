import type { IncomingMessage } from 'node:http';
import { routesOf } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { refusals } from '../../../shared/refusals.ts';
import type { StageBeacon } from '../../../shared/stage-beacon.ts';
import { isoOf, parseInstant } from '../../../shared/time.ts';
import { refusedOrigin } from '../../common/page-guard.ts';
import type { AwsEndpoint } from './aws/endpoint.ts';
import { isAwsError } from './aws/error.ts';
import type { Queues } from './aws/queues.ts';
import type { Scheduler } from './aws/scheduler.ts';
import { answerOfRelay, localBeacon } from './beacon.ts';

const isOwn = (path: string) => path === '/openapi.json' || path.startsWith('/local/');
const beaconPlace = '/local/beacon';
const place = /^\/local\/(schedules|queues)\/([\w.-]{1,80})\/?$/;

/**
 * What the local stage serves beside the endpoints: `POST /local/schedules/{name}` runs a schedule at once, as if it
 * were `now` if the body has one, and responds when its target has been called; `GET /local/queues/{name}` shows
 * what lies on a queue; below `/local/beacon` is a relay of the stage's beacon, as drand's HTTP API has it;
 * `GET /openapi.json` is the document of this stage. Undefined for anything else. None of them asks for credentials, so a
 * page of another origin is refused.
 */
export function localRoutes({ scheduler, queues }: Pick<AwsEndpoint, 'scheduler' | 'queues'>) {
  return async (request: IncomingMessage, path: string, body: Buffer): Promise<unknown> => {
    if (isOwn(path) && refusedOrigin(request)) throw refusals.forbidden();
    if (request.method === 'GET' && path === '/openapi.json') return document(request);
    if (request.method === 'GET' && path.startsWith(beaconPlace))
      return answerOfRelay(path.slice(beaconPlace.length));
    const [, kind, name = ''] = place.exec(path) ?? [];
    const asked = `${request.method} ${kind}`;
    try {
      if (asked === 'POST schedules') return await fire(scheduler, name, body);
      if (asked === 'GET queues') return show(queues, name);
      return undefined;
    } catch (error) {
      if (isAwsError(error) && absent.has(error.name)) throw refusals.notFound();
      throw error;
    }
  };
}

/** The beacon of a local stage at an address, as its functions find it in their environment. */
export const beaconAt = (baseUrl: string): StageBeacon => ({
  ...localBeacon,
  relays: [baseUrl + beaconPlace],
});

async function document({ headers }: IncomingMessage) {
  // Loaded when it is asked for: a start should not wait for it.
  const { openapiDocument } = await import('../../../shared/api/openapi/document.ts');
  return openapiDocument(routesOf('local', allRoutes), `http://${headers.host}`);
}

const absent = new Set(['ResourceNotFoundException', 'QueueDoesNotExist']);

async function fire(scheduler: Scheduler, name: string, body: Buffer) {
  const now = nowOf(body);
  await scheduler.fire(name, now);
  return { status: 'success', schedule: name, now: isoOf(now) };
}

function show(queues: Queues, name: string) {
  const queue = queues.get(name);
  const { visible, delayed, inFlight } = queue.counts();
  const messages = queue.messages().map(({ body }) => body);
  return { status: 'success', queue: name, visible, delayed, in_flight: inFlight, messages };
}

function nowOf(body: Buffer): number {
  const text = body.toString().trim();
  if (!text) return Date.now();
  const now = parseInstant(String(fieldsOf(text).now ?? new Date().toISOString()));
  if (now === undefined) throw refusals.invalid('now: Input should be a valid datetime');
  return now;
}

function fieldsOf(text: string): { now?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw refusals.invalid('Request body must be a JSON object', 400);
}
