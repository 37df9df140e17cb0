import type { IncomingMessage } from 'node:http';
import { refusals } from '../../shared/api/errors.ts';
import { isoOf, parseInstant } from '../../shared/time.ts';
import { isAwsError } from './aws-error.ts';
import type { Scheduler } from './scheduler.ts';

const firing = /^\/local\/schedules\/([\w.-]{1,64})\/?$/;

/**
 * What the local stage serves beside the endpoints: `POST /local/schedules/{name}` runs a schedule at once, as if it
 * were `now` where the body has one, and answers when its target has been called. Undefined for anything else.
 */
export function localRoutes(scheduler: Scheduler) {
  return async (request: IncomingMessage, url: URL, body: Buffer): Promise<unknown> => {
    const [, name] = firing.exec(url.pathname) ?? [];
    if (request.method !== 'POST' || name === undefined) return undefined;
    const now = nowOf(body);
    try {
      await scheduler.fire(name, now);
    } catch (error) {
      if (isAwsError(error) && error.name === 'ResourceNotFoundException') throw refusals.notFound();
      throw error;
    }
    return { status: 'success', schedule: name, now: isoOf(now) };
  };
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
