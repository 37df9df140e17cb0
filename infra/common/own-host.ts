import type { IncomingMessage } from 'node:http';

/** The `Host` headers that name this server. Browsers omit port 80. */
export const ownHosts = (port: number | undefined) =>
  ['localhost', '127.0.0.1', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : `${name}:${port}`,
  );

export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  return ownHosts(socket.localPort).includes(headers.host?.toLowerCase() ?? '');
}

/** Trusts a request without `Origin`, because browsers send `Origin` with every cross-origin POST. */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const own = ownHosts(socket.localPort).map((host) => `http://${host}`);
  return headers.origin !== undefined && !own.includes(headers.origin);
}
