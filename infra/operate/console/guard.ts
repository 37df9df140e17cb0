/** Access control: accepts requests only from the console's own page, opened with the printed link. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isForOwnHost } from '../../common/own-host.ts';
import { type Refused, refusedChange, refusedHost, refusedOrigin } from '../../common/page-guard.ts';

/**
 * Returns the reason for refusing a request without a link token, or undefined. Checks the origin first, so
 * that a foreign page cannot tell whether the browser has the cookie.
 */
export function refusedOf(request: IncomingMessage, token: string): Refused | undefined {
  const foreign = refusedHost(request) ?? refusedOrigin(request);
  if (foreign) return foreign;
  if (isSame(cookieOf(request), token)) return refusedChange(request);
  return { status: 401, message: 'Open the link that the console printed when it started.' };
}

/** Returns whether a request has the console's token and Host. Compares tokens in constant time. */
export const opens = (request: IncomingMessage, brought: string, token: string): boolean =>
  isForOwnHost(request) && isSame(brought, token);

function isSame(brought: string, token: string): boolean {
  const [one, other] = [brought, token].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

// The name contains the port, because browsers share cookies among ports and several consoles may run.
const cookieName = ({ socket }: IncomingMessage) => `incentives-console-${socket.localPort}`;

function cookieOf(request: IncomingMessage): string {
  const cookies = (request.headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
  return cookies.find(([name]) => name === cookieName(request))?.[1] ?? '';
}

/** Returns the cookie that replaces the link's token. Scripts and other sites cannot use the cookie. */
export const cookieWith = (request: IncomingMessage, token: string): string =>
  `${cookieName(request)}=${token}; HttpOnly; SameSite=Strict; Path=/`;
