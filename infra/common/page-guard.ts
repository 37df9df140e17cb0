/** Which requests a server of a page on this machine takes: those that its own page sends. */
import type { IncomingMessage } from 'node:http';
import { isForOwnHost, isFromForeignPage } from './own-host.ts';

/** A header of the pages' own: a page of another origin cannot send it without asking first, and a form not at all. */
export const ownHeader = 'x-incentives-page';

/** Why a request is refused, to show to a person. */
export type Refused = { status: number; message: string };

/** Why a request is refused that came by a name that only resolves to this machine (DNS rebinding); undefined if not. */
export const refusedHost = (request: IncomingMessage): Refused | undefined =>
  isForOwnHost(request) ? undefined : { status: 421, message: 'This is served to this machine alone.' };

/** Why a request is refused that a page of elsewhere sent, of another port of this machine too; undefined if not. */
export function refusedOrigin(request: IncomingMessage): Refused | undefined {
  const site = request.headers['sec-fetch-site'];
  // By `none` the person at the browser typed the address.
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && request.method === 'GET');
  if (isOwn && !isFromForeignPage(request)) return undefined;
  return { status: 403, message: 'This came from another page, and was not done.' };
}

/** Why a request that changes something is refused: it has to be JSON, with the pages' own header. */
export function refusedChange({ method, headers }: IncomingMessage): Refused | undefined {
  const isJson = headers['content-type']?.split(';')[0] === 'application/json';
  if (method === 'GET' || (isJson && headers[ownHeader] === '1')) return undefined;
  return { status: 403, message: 'This was not sent by the page itself, and was not done.' };
}
