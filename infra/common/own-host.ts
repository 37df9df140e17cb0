import type { IncomingMessage } from 'node:http';

/** The names of this machine with a port, as a Host header has them; port 80 may be left out. */
export const ownHosts = (port: number | undefined) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : `${name}:${port}`,
  );

/**
 * Whether a request's Host is this machine and the port that it came to. A page under a name of its own that
 * resolves to this machine (DNS rebinding) sends that name, and the browser would show it the response.
 */
export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  return ownHosts(socket.localPort).includes(headers.host?.toLowerCase() ?? '');
}

/** Whether a request was sent by a page of another origin; only browsers send an Origin. */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const own = ownHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin !== undefined && !own.includes(headers.origin);
}
