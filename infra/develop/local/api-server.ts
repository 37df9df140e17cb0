import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorAnswer, jsonHeaders } from '../../../shared/api/error-answer.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import { isForOwnHost, ownHosts } from '../../common/own-host.ts';
import { mostBodyBytes } from '../../deploy/endpoints.ts';
import { decoded } from './find-route.ts';
import type { Gateway } from './gateway.ts';

/** What the request log says of one request. */
export type Logged = {
  method: string;
  path: string;
  status: number;
  ms: number;
  message?: string | undefined;
};

type Options = {
  gateway: Gateway;
  logged: (entry: Logged) => void;
  /** Handles requests to the local stage itself, and returns undefined for all others. */
  extra?: (request: IncomingMessage, path: string, body: Buffer) => Promise<unknown>;
};

/** Serves the gateway over HTTP, to this machine alone. */
export function createApiServer(options: Options): Server {
  // The gateway refuses headers that are too long; the server itself would do so without a word.
  return createServer({ maxHeaderSize: mostBodyBytes }, async (request, response) => {
    const started = performance.now();
    const requestId = randomUUID();
    const { method = '', url = '/' } = request;
    const [path = ''] = url.split('?');
    const result = await answer(request, path, requestId, options).catch((error: unknown) => {
      if (!(error instanceof Refusal)) console.error(error);
      return errorAnswer(error instanceof Refusal ? error : refusals.internal(), requestId);
    });
    send(response, result);
    const ms = performance.now() - started;
    options.logged({
      method,
      path: masked(path),
      status: result.statusCode,
      ms,
      message: messageOf(result),
    });
  });
}

async function answer(
  request: IncomingMessage,
  path: string,
  requestId: string,
  { gateway, extra }: Options,
): Promise<APIGatewayProxyResult> {
  // To its end, whatever becomes of it: a client that is still sending would not see the answer.
  const body = await buffer(request);
  if (!isForOwnHost(request)) throw refusals.forbidden(answersTo(request));
  const own = await extra?.(request, path, body);
  if (own !== undefined) return { statusCode: 200, headers: jsonHeaders, body: JSON.stringify(own) };
  const { method = '', url: target = '/', headersDistinct, socket } = request;
  const headers = headersDistinct as Record<string, string[]>;
  return gateway({ method, target, headers, body, sourceIp: socket.remoteAddress }, requestId);
}

const answersTo = ({ socket }: IncomingMessage): string =>
  `The local stage answers to no other Host than ${ownHosts(socket.localPort).join(', ')}`;

function send(
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded }: APIGatewayProxyResult,
) {
  response.writeHead(statusCode, headers as Record<string, string>);
  response.end(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'));
}

/** A play URL's token is a credential, and stays out of the log, whatever way the path is spelled. */
function masked(path: string): string {
  const segments = path.split('/');
  const play = segments.findIndex((segment) => decoded(segment)?.toLowerCase() === 'play');
  const after = segments.slice(play + 1);
  if (play === -1 || after.every((segment) => segment === '')) return path;
  return [...segments.slice(0, play + 1), '…', ...(after.at(-1) === 'spin' ? ['spin'] : [])].join('/');
}

function messageOf({ statusCode, body }: APIGatewayProxyResult): string | undefined {
  if (statusCode < 400) return undefined;
  try {
    return String(JSON.parse(body).message);
  } catch {
    return undefined;
  }
}
