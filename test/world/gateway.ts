/** Sends requests of hosts and players to the simulated API Gateway. Loses some requests and responses. */
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayRequest } from '../../infra/develop/local/events.ts';
import type { Gateway } from '../../infra/develop/local/gateway.ts';
import { ConnectionLost } from './actors/api.ts';
import type { Faults } from './faults.ts';
import type { HttpRequest, HttpResponse } from './journal.ts';
import type { Timeline } from './timeline.ts';

type Options = {
  gateway: Gateway;
  timeline: Timeline;
  faults: Faults;
  trace: (line: string) => void;
};

/**
 * Milliseconds that a client waits for a response: longer than the gateway's timeout, so that the gateway's timeout
 * error arrives first.
 */
const patienceMs = 30_000;

/**
 * Creates the function that sends API requests. The function rejects with `ConnectionLost` after `patienceMs` without a
 * response.
 */
export function createSender({ gateway, timeline, faults, trace }: Options) {
  let count = 0;
  const faultyOf = (request: HttpRequest): HttpRequest => {
    if (!faults.strikes('requestedFault')) return request;
    const fault = faults.pick(['unavailable', 'throttled', 'lost', 'slow', 'slow=20']);
    return { ...request, headers: { ...request.headers, 'incentives-fault': fault } };
  };
  return (request: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const number = ++count;
      const cancelTimeout = timeline.after(patienceMs, () => reject(new ConnectionLost()));
      const hop = () => 5 + faults.delay(20);
      trace(`request ${number} ${request.method} ${request.path} ${request.body ?? ''}`);
      if (faults.strikes('hostRequestLost')) return;
      timeline.after(hop(), async () => {
        const result = await gateway(incoming(faultyOf(request)), `request-${number}`);
        const response = responseOf(result);
        trace(`request ${number} is answered ${response.status} ${response.body.slice(0, 2000)}`);
        if (faults.strikes('hostAnswerLost')) return;
        timeline.after(hop(), () => {
          cancelTimeout();
          resolve(response);
        });
      });
    });
}

function incoming({ method, path, query, headers, body }: HttpRequest): GatewayRequest {
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  return {
    method,
    target: path + search,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body ?? ''),
  };
}

function responseOf({
  statusCode,
  headers = {},
  body,
  isBase64Encoded,
}: APIGatewayProxyResult): HttpResponse {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const named = Object.fromEntries(lowerCase) as Record<string, string>;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const text = named['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return { status: statusCode, headers: named, body: text.toString() };
}
