import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isForOwnHost } from '../../common/own-host.ts';
import { changeRefusal, hostRefusal, originRefusal, type PageRefusal } from '../../common/page-guard.ts';

export function consoleRefusal(request: IncomingMessage, token: string): PageRefusal | undefined {
  // Checks the origin before the cookie, so that other sites cannot detect whether the browser has the cookie.
  const foreign = hostRefusal(request) ?? originRefusal(request);
  if (foreign) return foreign;
  if (isSame(cookieOf(request), token)) return changeRefusal(request);
  return { status: 401, message: 'Open the link that the console printed when it started.' };
}

/** The link that opens the console contains the token. */
export const mayOpenConsole = (request: IncomingMessage, tokenInUrl: string, token: string): boolean =>
  isForOwnHost(request) && isSame(tokenInUrl, token);

function isSame(received: string, token: string): boolean {
  const [receivedHash, tokenHash] = [received, token].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return timingSafeEqual(receivedHash!, tokenHash!);
}

// The cookie's name contains the port, because browsers share cookies between ports and several consoles can
// run.
const cookieName = ({ socket }: IncomingMessage) => `incentives-console-${socket.localPort}`;

function cookieOf(request: IncomingMessage): string {
  const cookies = (request.headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
  return cookies.find(([name]) => name === cookieName(request))?.[1] ?? '';
}

/** Returns a cookie with the token, so that later URLs need no token. Scripts and other sites cannot use the cookie. */
export const sessionCookie = (request: IncomingMessage, token: string): string =>
  `${cookieName(request)}=${token}; HttpOnly; SameSite=Strict; Path=/`;
