/** Who may talk to the console: the page that it served itself, to whoever opened the link that it printed. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isForOwnHost } from '../../common/own-host.ts';
import { type Refused, refusedChange, refusedHost, refusedOrigin } from '../../common/page-guard.ts';

/**
 * Why a request that brings no token is refused; undefined if it is not. A page of elsewhere is told nothing, not even
 * whether there is a cookie.
 */
export function refusedOf(request: IncomingMessage, token: string): Refused | undefined {
  const foreign = refusedHost(request) ?? refusedOrigin(request);
  if (foreign) return foreign;
  if (isSame(cookieOf(request), token)) return refusedChange(request);
  return { status: 401, message: 'Open the link that the console printed when it started.' };
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
