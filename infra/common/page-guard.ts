import type { IncomingMessage } from 'node:http';
import { isForOwnHost, isFromForeignPage } from './own-host.ts';

/** Custom header against CSRF. A foreign page can send it only after a CORS preflight, which the server refuses. */
const ownHeader = 'x-incentives-page';

export type PageRefusal = { status: number; message: string };

/** Refuses a request with a foreign `Host` header (DNS rebinding). Returns undefined for an allowed host. */
export const hostRefusal = (request: IncomingMessage): PageRefusal | undefined =>
  isForOwnHost(request)
    ? undefined
    : { status: 421, message: 'This page is only available on this machine, at 127.0.0.1 or localhost.' };

export function originRefusal(request: IncomingMessage): PageRefusal | undefined {
  const site = request.headers['sec-fetch-site'];
  // Browsers send `Sec-Fetch-Site: none` if the user typed the address, so a GET request with `none` is
  // allowed.
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && request.method === 'GET');
  if (isOwn && !isFromForeignPage(request)) return undefined;
  return { status: 403, message: 'This request came from another page, and was refused.' };
}

export function changeRefusal({ method, headers }: IncomingMessage): PageRefusal | undefined {
  const isJson = headers['content-type']?.split(';')[0] === 'application/json';
  if (method === 'GET' || (isJson && headers[ownHeader] === '1')) return undefined;
  return { status: 403, message: 'This request was not sent by this page, and was refused.' };
}
