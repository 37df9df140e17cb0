import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { serve } from './serve.ts';

/** A webhook call that reached a test's receiver. */
export type Arrived = {
  id: string;
  path: string;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever arrived
  payload: any;
  at: number;
};
/** Returns the status of a receiver's response, or undefined if the function writes the response itself. */
export type Behaviour = (call: Arrived, response: ServerResponse) => number | undefined;
export type Receiver = {
  url: string;
  calls: Arrived[];
  /** Returns the number of connections opened so far. */
  connections: () => number;
  behave: (behaviour: Behaviour) => void;
  /** Waits until at least `count` calls that satisfy `matching` have arrived. Resolves with all such calls. */
  until: (count: number, matching?: (call: Arrived) => boolean) => Promise<Arrived[]>;
  close: () => Promise<void>;
};

/** Starts a webhook receiver on a free local port. By default it responds to each call with status 200. */
export async function startReceiver(behaviour: Behaviour = () => 200): Promise<Receiver> {
  const calls: Arrived[] = [];
  let behave = behaviour;
  let wake: () => void = () => {};
  const { server, url, close } = await serve(async (request, response) => {
    const call = await arrived(request);
    calls.push(call);
    const status = behave(call, response);
    if (status !== undefined) response.writeHead(status).end();
    wake();
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const until: Receiver['until'] = async (count, matching = () => true) => {
    for (;;) {
      const found = calls.filter(matching);
      if (found.length >= count) return found;
      await new Promise<void>((woken) => {
        const before = wake;
        wake = () => {
          before();
          woken();
        };
      });
    }
  };
  return {
    url: `${url}/hook`,
    calls,
    connections: () => connections,
    behave: (next) => {
      behave = next;
    },
    until,
    close,
  };
}

async function arrived(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const headers = request.headers as Record<string, string>;
  return {
    id: headers['webhook-id'] ?? '',
    path: request.url ?? '',
    headers,
    text,
    payload: JSON.parse(text || 'null'),
    at: Date.now(),
  };
}

/** Returns whether a call's signature is valid for a secret, according to the official Standard Webhooks library. */
export function isSignedWith(secret: string, call: Arrived): boolean {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  try {
    webhook.verify(call.text, call.headers);
    return true;
  } catch {
    return false;
  }
}
