/** Checks that the requests to a local server come from its own page. */
import type { IncomingMessage } from 'node:http';
import { isForOwnHost, isFromForeignPage } from './own-host.ts';

/** Custom header against CSRF: other origins need a CORS preflight to send it, and HTML forms cannot. */
export const ownHeader = 'x-incentives-page';

/** HTTP status and message for a refused request. */
export type Refused = { status: number; message: string };

/** Refuses a request with a foreign Host header (DNS rebinding). Returns undefined if the Host is allowed. */
export const refusedHost = (request: IncomingMessage): Refused | undefined =>
  isForOwnHost(request)
    ? undefined
    : { status: 421, message: 'This page is only available on this machine, at 127.0.0.1 or localhost.' };

/**
 * Refuses a request from another origin, including another port of this machine. Returns undefined if it is
 * allowed.
 */
export function refusedOrigin(request: IncomingMessage): Refused | undefined {
  const site = request.headers['sec-fetch-site'];
  // Browsers send `none` if the user typed the address.
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && request.method === 'GET');
  if (isOwn && !isFromForeignPage(request)) return undefined;
  return { status: 403, message: 'This request came from another page, and was refused.' };
}

/** Refuses a POST that is not JSON or lacks the custom header. Returns undefined if it is allowed. */
export function refusedChange({ method, headers }: IncomingMessage): Refused | undefined {
  const isJson = headers['content-type']?.split(';')[0] === 'application/json';
  if (method === 'GET' || (isJson && headers[ownHeader] === '1')) return undefined;
  return { status: 403, message: 'This request was not sent by this page, and was refused.' };
}
