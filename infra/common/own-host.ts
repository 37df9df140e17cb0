import type { IncomingMessage } from 'node:http';

/** Returns the `Host` headers that browsers send to a server on this machine. Browsers omit port 80. */
export const ownHosts = (port: number | undefined) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : `${name}:${port}`,
  );

/** Returns whether a request's `Host` header names this machine and port. Any other host means DNS rebinding. */
export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  return ownHosts(socket.localPort).includes(headers.host?.toLowerCase() ?? '');
}

/** Returns whether a page of another origin sent the request. Browsers send `Origin` with every cross-origin POST. */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const own = ownHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin !== undefined && !own.includes(headers.origin);
}
