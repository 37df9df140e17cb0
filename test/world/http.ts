/** Replaces Node's `http` and `https` modules, so that bundled code sends its requests to the simulated network. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Cancel } from './timeline.ts';

/** An HTTP request on the simulated network. Header names are in lower case. */
export type NetworkRequest = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The sender's DNS lookup, which returns a host's IP addresses. If absent, the network looks up the name. */
  lookup?: (name: string) => Promise<string[]>;
};

/** An HTTP response or a connection error. Without `end`, the response's body is complete. */
export type NetworkReply =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Uint8Array;
      end?: 'cut' | 'never' | 'stalled';
    }
  | { error: Error };

/** Sends an HTTP request. Calls `reply` with the response or connection error, or never if neither arrives. */
export type Network = (request: NetworkRequest, reply: (reply: NetworkReply) => void) => void;

type Listener = (response: Readable) => void;
type Options = {
  host?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string | number>;
  signal?: AbortSignal;
  lookup?: LookupFunction;
};
type LookupFunction = (
  name: string,
  options: { all: true },
  callback: (error: Error | null, addresses: { address: string }[]) => void,
) => void;
/** The part of `node:http` that the bundles use. */
export type HttpModule = { request: unknown; Agent: unknown; createServer?: unknown };

class Agent {
  freeSockets = {};
  destroy() {}
}

/**
 * Creates the simulated `node:http` of a function's instance. `after` schedules callbacks that run only while the
 * instance is alive.
 */
export function httpModule(
  network: Network,
  after: (milliseconds: number, callback: () => void) => Cancel,
): HttpModule {
  const request = (first: URL | Options, second: Options | Listener, third?: Listener) =>
    first instanceof URL
      ? send({ url: first, options: second as Options, listener: third! })
      : send({ url: urlOf(first), options: first, listener: second as Listener });

  function send({ url, options, listener }: { url: URL; options: Options; listener: Listener }) {
    const request = Object.assign(new EventEmitter(), { socket, destroyed: false, end, destroy });
    let response: Readable | undefined;
    request.once('response', listener);
    const { signal } = options;
    signal?.addEventListener('abort', () => destroy(signal.reason as Error), { once: true });
    return request;

    function end(body?: string | Buffer) {
      if (signal?.aborted) return void after(0, () => destroy(signal.reason as Error));
      network(
        {
          url,
          method: options.method ?? 'GET',
          headers: lowerCase(options.headers ?? {}),
          body: Buffer.from(body ?? ''),
          ...(options.lookup && { lookup: lookupOf(options.lookup) }),
        },
        (reply) => {
          if (request.destroyed) return;
          if ('error' in reply) return destroy(reply.error);
          response = responseOf(reply, after);
          response.once('close', () => request.emit('close'));
          request.emit('response', response);
        },
      );
    }
    function destroy(error?: Error) {
      if (request.destroyed) return;
      request.destroyed = true;
      if (error && !response) request.emit('error', error);
      // If the response has no listener for errors, closes the response without an error, as Node does.
      if (response) response.destroy(response.listenerCount('error') > 0 ? error : undefined);
      else request.emit('close');
    }
  }
  return { request, Agent };
}

const noop = () => {};
const socket = { connecting: false, setKeepAlive: noop, setTimeout: noop, removeListener: noop };

const urlOf = ({ host = '', path = '/' }: Options) => new URL(`https://${host}${path}`);

const lowerCase = (headers: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

const lookupOf = (lookup: LookupFunction) => (name: string) =>
  new Promise<string[]>((resolve, reject) => {
    lookup(name, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses.map(({ address }) => address)),
    );
  });

type Response = Extract<NetworkReply, { status: number }>;

function responseOf(
  { status, headers = {}, body = '', end }: Response,
  after: (milliseconds: number, callback: () => void) => Cancel,
) {
  // A body that never ends sends another kilobyte whenever the client has read the previous one.
  const more = () => after(100, () => response.push(Buffer.alloc(1024)));
  const response = new Readable({ read: end === 'never' ? more : noop });
  response.push(body);
  if (end === undefined) response.push(null);
  if (end === 'cut') after(1, () => response.destroy(connectionError('ECONNRESET')));
  return Object.assign(response, { statusCode: status, headers, complete: end === undefined });
}

export const connectionError = (code: string): Error =>
  Object.assign(new Error(`connection failed: ${code}`), { code });
