import type { IncomingMessage } from 'node:http';
import type { StageBeacon } from '../../../shared/drand/rounds.ts';
import { refusals } from '../../../shared/refusals.ts';
import type { TimestampAuthority } from '../../../shared/stage-authorities.ts';
import { isoOf, parseInstant } from '../../../shared/time.ts';
import { originRefusal } from '../../common/page-guard.ts';
import { localAuthority, rootFingerprint, timestampResponse } from './authority.ts';
import type { AwsEndpoint } from './aws/endpoint.ts';
import { isAwsError } from './aws/error.ts';
import type { Queues } from './aws/queues.ts';
import type { Scheduler } from './aws/scheduler.ts';
import { localBeacon, relayAnswer } from './beacon.ts';

const beaconPath = '/local/beacon';
const authorityPath = '/local/timestamps';
const resourcePath = /^\/local\/(schedules|queues)\/([\w.-]{1,80})\/?$/;

/** Returns a handler of the local stage's own routes, which returns undefined for other routes. */
export function localRoutes({ scheduler, queues }: Pick<AwsEndpoint, 'scheduler' | 'queues'>) {
  // While a schedule runs on request, the timestamp authority uses the run's time if it is later than the real time,
  // so that developers can close a day early.
  let presentOf = Date.now;
  return async (request: IncomingMessage, path: string, body: Buffer): Promise<unknown> => {
    // Refuses pages of other origins, because these routes need no credentials.
    if (path.startsWith('/local/') && originRefusal(request)) throw refusals.forbidden();
    if (request.method === 'GET' && path.startsWith(beaconPath))
      return relayAnswer(path.slice(beaconPath.length));
    if (request.method === 'POST' && path === authorityPath) return timestampFor(body, presentOf());
    const [, kind, name = ''] = resourcePath.exec(path) ?? [];
    const call = `${request.method} ${kind}`;
    try {
      if (call === 'POST schedules') {
        const now = nowOf(body);
        const started = performance.now();
        presentOf = () => Math.max(Date.now(), now + performance.now() - started);
        return await fire(scheduler, name, now);
      }
      if (call === 'GET queues') return show(queues, name);
      return undefined;
    } catch (error) {
      if (isAwsError(error) && absent.has(error.name)) throw refusals.notFound();
      throw error;
    } finally {
      if (call === 'POST schedules') presentOf = Date.now;
    }
  };
}

export const timestampAuthorityAt = (baseUrl: string): TimestampAuthority => ({
  url: baseUrl + authorityPath,
  root: rootFingerprint(localAuthority),
});

export const beaconAt = (baseUrl: string): StageBeacon => ({
  ...localBeacon,
  relays: [baseUrl + beaconPath],
});

function timestampFor(request: Buffer, at: number): Buffer {
  try {
    return timestampResponse(request, Math.floor(at));
  } catch {
    throw refusals.invalid('Input should be a timestamp request (RFC 3161)');
  }
}

const absent = new Set(['ResourceNotFoundException', 'QueueDoesNotExist']);

async function fire(scheduler: Scheduler, name: string, now: number) {
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
