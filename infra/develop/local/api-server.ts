import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorAnswer, jsonHeaders } from '../../../shared/api/error-answer.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import { isForOwnHost, ownHosts } from '../../common/own-host.ts';
import { maxBodyBytes } from '../../deploy/endpoints.ts';
import { percentDecoded } from './find-route.ts';
import type { Gateway } from './gateway.ts';

export type LoggedRequest = {
  method: string;
  path: string;
  status: number;
  ms: number;
  message?: string | undefined;
};

type Options = {
  gateway: Gateway;
  onRequest: (entry: LoggedRequest) => void;
  handleLocalRoute?: (request: IncomingMessage, path: string, body: Buffer) => Promise<unknown>;
};

/** Creates the server of the API, which refuses foreign `Host` headers (DNS rebinding). */
export function createApiServer(options: Options): Server {
  // Lets Node accept long headers, so that the gateway can refuse them with its own response. Keeps idle connections
  // for a minute: Node's five seconds pass while this process is busy, and a client would send to a closed connection.
  const limits = { maxHeaderSize: maxBodyBytes, keepAliveTimeout: 60_000 };
  return createServer(limits, async (request, response) => {
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
    options.onRequest({
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
  { gateway, handleLocalRoute }: Options,
): Promise<APIGatewayProxyResult> {
  // Reads the whole body before any response, because a client that is still sending reads no response.
  const body = await buffer(request);
  if (!isForOwnHost(request)) throw refusals.forbidden(hostMessage(request));
  const own = await handleLocalRoute?.(request, path, body);
  if (Buffer.isBuffer(own)) {
    const headers = { 'content-type': 'application/timestamp-reply' };
    return { statusCode: 200, headers, body: own.toString('base64'), isBase64Encoded: true };
  }
  if (own !== undefined) return { statusCode: 200, headers: jsonHeaders, body: JSON.stringify(own) };
  const { method = '', url: target = '/', headersDistinct } = request;
  const headers = headersDistinct as Record<string, string[]>;
  return gateway({ method, target, headers, body }, requestId);
}

const hostMessage = ({ socket }: IncomingMessage): string =>
  `The local stage only accepts these Host headers: ${ownHosts(socket.localPort).join(', ')}`;

function send(
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded }: APIGatewayProxyResult,
) {
  response.writeHead(statusCode, headers as Record<string, string>);
  response.end(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'));
}

/** Returns a path for the log without a play URL's token, which is a credential. */
function masked(path: string): string {
  const segments = path.split('/');
  // The segment `play` may be in upper case or percent-encoded.
  const play = segments.findIndex((segment) => percentDecoded(segment)?.toLowerCase() === 'play');
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
