import type { IncomingMessage } from 'node:http';

/**
 * Returns the `Host` header values with which a browser can request a server on this machine. Browsers omit
 * port 80.
 */
export const ownHosts = (port: number | undefined) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : `${name}:${port}`,
  );

/**
 * Returns whether a request's `Host` header names this machine and port. Any other value means DNS rebinding:
 * a foreign domain resolves to this machine, and the browser would let the foreign page read the response.
 */
export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  return ownHosts(socket.localPort).includes(headers.host?.toLowerCase() ?? '');
}

/**
 * Returns whether a page of another origin sent the request. Returns false without an `Origin` header,
 * because browsers send this header with every cross-origin POST and every cross-origin request whose
 * response a script can read.
 */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const own = ownHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin !== undefined && !own.includes(headers.origin);
}
