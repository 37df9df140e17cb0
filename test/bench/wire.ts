/** A proxy between functions and the local AWS services. Counts requests and DynamoDB units. */
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../support/serve.ts';
import { type Ask, countUnits, noUnits, type Units } from './units.ts';

/** A request that the proxy forwarded: its operation, such as `GetItem`, and the DynamoDB units that it used. */
export type Call = { operation: string; units: Units };

export type Wire = {
  /** URL of the proxy, to be set as `AWS_ENDPOINT_URL_…` of the measured functions. */
  url: string;
  /** Returns the calls since the previous `taken()`. `waves` is the number of groups of overlapping requests. */
  taken(): { calls: Call[]; waves: number };
  close(): Promise<void>;
};

/** Starts a proxy to the address `to`. Counts units for requests to DynamoDB only. */
export async function startWire(to: string): Promise<Wire> {
  let calls: Call[] = [];
  let [open, waves] = [0, 0];
  const { url, close } = await serve((request, response) => {
    if (open++ === 0) waves++;
    carry(request, response)
      .catch(() => response.destroy())
      .finally(() => open--);
  });

  async function carry(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const reply = await forward(to, request, body);
    calls.push(reply.call);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  return {
    url,
    taken() {
      const taken = { calls, waves };
      [calls, waves] = [[], 0];
      return taken;
    },
    close,
  };
}

/**
 * Runs a function with a counting proxy as DynamoDB's endpoint. A client that has already made a call bypasses the
 * proxy.
 */
export async function byWire<T>(work: (wire: Wire) => Promise<T>): Promise<T> {
  const direct = process.env.AWS_ENDPOINT_URL_DYNAMODB!;
  const wire = await startWire(direct);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = wire.url;
  try {
    return await work(wire);
  } finally {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = direct;
    await wire.close();
  }
}

async function forward(to: string, request: IncomingMessage, body: string) {
  const target = String(request.headers['x-amz-target'] ?? `${request.method} ${request.url}`);
  const operation = target.split('.').at(-1)!;
  const send = (what: string, sent: string) => {
    const headers = { ...ownHeaders(request), 'x-amz-target': what };
    return exchange(to + request.url, { method: request.method, headers }, sent);
  };
  const ask: Ask = async (other, asked) =>
    JSON.parse((await send(target.replace(operation, other), JSON.stringify(asked))).body);
  const isTable = target.startsWith('DynamoDB_2012');
  const input = isTable ? { ...JSON.parse(body), ReturnConsumedCapacity: 'TOTAL' } : undefined;
  const count = input && (await countUnits(operation, input, ask));
  const reply = await send(target, input ? JSON.stringify(input) : body);
  const units = (await count?.(JSON.parse(reply.body))) ?? noUnits;
  return { ...reply, call: { operation, units } };
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

async function exchange(url: string, options: RequestOptions, sent: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { ...options, agent }, resolve)
      .on('error', reject)
      .end(sent);
  });
  const type = response.headers['content-type'] ?? 'application/x-amz-json-1.0';
  return { status: response.statusCode!, headers: { 'content-type': type }, body: await text(response) };
}

/** Returns a request's headers, without headers of its connection such as `host`. */
function ownHeaders({ headers }: IncomingMessage) {
  const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...own } = headers;
  return own;
}
