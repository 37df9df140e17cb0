import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { refusals } from '../../shared/api/errors.ts';
import { openapiDocument } from '../../shared/api/openapi.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { timestamp } from '../../shared/api/schemas.ts';
import { validate } from '../../shared/api/validate.ts';
import type { Background } from './background.ts';

const fireBody = z.object({ now: z.optional(timestamp) });
const firePath = /^\/local\/schedules\/([\w-]+)\/?$/;

/**
 * What only the local stage answers: `POST /local/schedules/{name}` fires a schedule at once and answers when its
 * function is done, and `GET /openapi.json` describes the API. Undefined for everything else.
 */
export function localOperations({ fire }: Background, clock: () => number) {
  return async (request: IncomingMessage, { pathname, origin }: URL, body: Buffer): Promise<unknown> => {
    const [, schedule] = (request.method === 'POST' && firePath.exec(pathname)) || [];
    if (schedule) {
      const { now = clock() } = validate(fireBody, jsonOf(body));
      if (!(await fire(schedule, now))) throw refusals.notFound();
      return { status: 'success', schedule, now: new Date(now).toISOString() };
    }
    if (request.method === 'GET' && pathname === '/openapi.json') return openapiDocument(allRoutes, origin);
    return undefined;
  };
}

function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString() || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  throw refusals.invalid('Request body must be a JSON object', 400);
}
