import type { IncomingMessage } from 'node:http';

/** Returns the Host headers that name this machine and a port; port 80 may be omitted. */
export const ownHosts = (port: number | undefined) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : `${name}:${port}`,
  );

/**
 * Whether a request's Host is this machine and port. With DNS rebinding, a foreign page's own name resolves to this
 * machine, and the browser would let that page read the response; its Host is the foreign name.
 */
export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  return ownHosts(socket.localPort).includes(headers.host?.toLowerCase() ?? '');
}

/** Whether a page of another origin sent the request. Only browsers send an Origin. */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const own = ownHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin !== undefined && !own.includes(headers.origin);
}
