/**
 * Sends calls to the simulated DynamoDB as lines of text on one connection. Signed HTTP requests need three
 * times the CPU.
 */
import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { AwsReply } from '../../infra/develop/local/aws/answer.ts';
import { dynamodb, scheduler, sqs } from '../../shared/aws.ts';

/** Whether the tests run on DynamoDB Local instead of the simulated DynamoDB. */
export const onDynamodbLocal = process.env.DYNAMODB === 'local';

/** Serves requests as lines of text on connections that clients have upgraded from HTTP. */
export function serveLines(
  server: Server,
  answer: (operation: string, body: string) => Promise<AwsReply>,
): void {
  server.on('upgrade', (_, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: lines\r\n\r\n');
    onLine(socket, async (id, line) => {
      const [operation, body] = split(line);
      const { status, headers, body: text } = await answer(operation, body);
      socket.write(`${id} ${status} ${Date.now()} ${headers['x-amzn-errortype'] ?? ''} ${text}\n`);
    });
  });
}

type Request = { hostname: string; port?: number; headers: Record<string, string>; body: Uint8Array };
type Handler = { handle: (request: Request, options: unknown) => Promise<{ response: object }> };

/** Middleware of the AWS SDK to remove, because the local stage ignores the headers that it adds. */
const removedMiddleware = [
  'httpSigningMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
];

/** Makes this process's DynamoDB client send requests as lines. The other AWS clients send unsigned HTTP requests. */
export function sendTableCallsAsLines({ dynamodbEndpoint }: { dynamodbEndpoint: string }): void {
  if (onDynamodbLocal) return;
  for (const { middlewareStack } of [dynamodb(), sqs(), scheduler()]) {
    for (const name of removedMiddleware) middlewareStack.remove(name);
  }
  const handler = dynamodb().config.requestHandler as unknown as Handler;
  const handle = handler.handle.bind(handler);
  const { port } = new URL(dynamodbEndpoint);
  let connection: ReturnType<typeof connect> | undefined;
  // Sends other requests unchanged over HTTP: those that tests redirect to another port, and those to KMS, which use
  // the same handler.
  handler.handle = async (request, options) => {
    if (String(request.port) !== port) return handle(request, options);
    connection ??= connect(dynamodbEndpoint);
    return { response: await (await connection)(request) };
  };
}

/** Opens a connection. Returns a function that sends a request and returns its response. */
async function connect(endpoint: string) {
  const upgrade = httpRequest(endpoint, { headers: { connection: 'Upgrade', upgrade: 'lines' } }).end();
  const [, socket] = (await once(upgrade, 'upgrade')) as [unknown, Socket];
  socket.setNoDelay().unref();
  const waiting = new Map<string, (line: string) => void>();
  onLine(socket, (id, line) => {
    waiting.get(id)!(line);
    waiting.delete(id);
  });
  let count = 0;
  return async ({ headers, body }: Request) => {
    const id = String(count++);
    const answered = new Promise<string>((resolve) => waiting.set(id, resolve));
    socket.cork();
    socket.write(`${id} ${headers['x-amz-target']!.split('.')[1]} `);
    socket.write(body);
    socket.write('\n');
    process.nextTick(() => socket.uncork());
    const [status, rest] = split(await answered);
    const [time, result] = split(rest);
    const [error, text] = split(result);
    const date = new Date(Number(time)).toUTCString();
    return {
      statusCode: Number(status),
      headers: { date, ...(error ? { 'x-amzn-errortype': error } : {}) },
      body: Buffer.from(text),
    };
  };
}

function onLine(socket: Duplex, call: (id: string, line: string) => void): void {
  const decoder = new StringDecoder();
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) call(...split(line));
  });
}

/** Splits a line at its first space. */
function split(line: string): [string, string] {
  const end = line.indexOf(' ');
  return [line.slice(0, end), line.slice(end + 1)];
}
