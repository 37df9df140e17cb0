import type { IncomingMessage } from 'node:http';

/** Returns the values of the Host header for this machine and port. Browsers omit port 80. */
export const ownHosts = (port: number | undefined) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : `${name}:${port}`,
  );

/**
 * Returns whether a request's Host is this machine and port. A foreign Host means DNS rebinding: a foreign
 * page's domain resolves to this machine, so the browser would let that page read the response.
 */
export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  return ownHosts(socket.localPort).includes(headers.host?.toLowerCase() ?? '');
}

/** Returns whether a page of another origin sent the request. Only browsers send an Origin header. */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const own = ownHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin !== undefined && !own.includes(headers.origin);
}
