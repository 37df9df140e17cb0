/** Lets a local server accept only requests of its own page. */
import type { IncomingMessage } from 'node:http';
import { isForOwnHost, isFromForeignPage } from './own-host.ts';

/** Custom header against CSRF: other origins need a CORS preflight to send it, and HTML forms cannot. */
export const ownHeader = 'x-incentives-page';

/** A refused request: status and reason. */
export type Refused = { status: number; message: string };

/** Returns the refusal of a request with a foreign Host (DNS rebinding), or undefined. */
export const refusedHost = (request: IncomingMessage): Refused | undefined =>
  isForOwnHost(request) ? undefined : { status: 421, message: 'This is served to this machine alone.' };

/** Returns the refusal of a request sent by another page, even on another port of this machine, or undefined. */
export function refusedOrigin(request: IncomingMessage): Refused | undefined {
  const site = request.headers['sec-fetch-site'];
  // `none` means that the user typed the address.
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && request.method === 'GET');
  if (isOwn && !isFromForeignPage(request)) return undefined;
  return { status: 403, message: 'This came from another page, and was not done.' };
}

/** Returns the refusal of a change that is not JSON or lacks the custom header, or undefined. */
export function refusedChange({ method, headers }: IncomingMessage): Refused | undefined {
  const isJson = headers['content-type']?.split(';')[0] === 'application/json';
  if (method === 'GET' || (isJson && headers[ownHeader] === '1')) return undefined;
  return { status: 403, message: 'This was not sent by the page itself, and was not done.' };
}
