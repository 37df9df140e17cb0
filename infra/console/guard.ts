/** Who may talk to the console: the page that it served itself, to whoever opened the link that it printed. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isForOwnHost, isFromForeignPage } from '../local/own-host.ts';

/** A header of the console's own: a page of another origin cannot send it without asking first, and a form not at all. */
export const ownHeader = 'x-incentives-console';

/** Why a request is refused, to show to a person. */
export type Refused = { status: number; message: string };

/**
 * Why a request that brings no token is refused; undefined if it is not. A name that resolves to this machine (DNS
 * rebinding) is no Host of its own, and a page of elsewhere, another port of this machine too, is told nothing.
 */
export function refusedOf(request: IncomingMessage, token: string): Refused | undefined {
  if (!isForOwnHost(request)) return { status: 421, message: 'This console answers on 127.0.0.1 alone.' };
  if (isForeign(request)) return { status: 403, message: 'This came from another page, and was not done.' };
  if (!isSame(cookieOf(request), token)) {
    return { status: 401, message: 'Open the link that the console printed when it started.' };
  }
  if (request.method === 'GET') return undefined;
  const isJson = request.headers['content-type']?.split(';')[0] === 'application/json';
  if (isJson && request.headers[ownHeader] === '1') return undefined;
  return { status: 403, message: 'This was not sent by the console’s own page, and was not done.' };
}

function isForeign(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  // By `none` the person at the browser typed the address.
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && request.method === 'GET');
  return !isOwn || isFromForeignPage(request);
}

/** Whether a link's token is the console's, and came to its own Host; both take the same time. */
export const opens = (request: IncomingMessage, brought: string, token: string): boolean =>
  isForOwnHost(request) && isSame(brought, token);

function isSame(brought: string, token: string): boolean {
  const [one, other] = [brought, token].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

// Cookies are told apart by host and not by port, and several consoles may run.
const cookieName = ({ socket }: IncomingMessage) => `incentives-console-${socket.localPort}`;

function cookieOf(request: IncomingMessage): string {
  const cookies = (request.headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
  return cookies.find(([name]) => name === cookieName(request))?.[1] ?? '';
}

/** The cookie that a browser gets for the link's token: out of reach of scripts, and of other sites. */
export const cookieWith = (request: IncomingMessage, token: string): string =>
  `${cookieName(request)}=${token}; HttpOnly; SameSite=Strict; Path=/`;
