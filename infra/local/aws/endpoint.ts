import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from './clock.ts';
import { awsError, isAwsError } from './error.ts';
import type { QueueDeclaration } from './queue.ts';
import { createQueues, type Queues } from './queues.ts';
import type { Schedule, ScheduleDeclaration } from './schedule.ts';
import type { Invoke } from './schedule-target.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';
import { callScheduler } from './scheduler-rest.ts';
import { callSqs } from './sqs.ts';

/** What stands in for SQS and EventBridge Scheduler, with its state for code in the same process. */
export type AwsEndpoint = {
  /** For `AWS_ENDPOINT_URL_SQS` and `AWS_ENDPOINT_URL_SCHEDULER`. */
  url: string;
  queues: Queues;
  scheduler: Scheduler;
  close(): Promise<void>;
};

type Reply = { contentType: string; status: number; body: unknown; headers?: Record<string, string> };

/** Serves both protocols on a free port of 127.0.0.1 and starts running the schedules. */
export async function startAwsEndpoint(options: {
  queues: QueueDeclaration[];
  schedules?: ScheduleDeclaration[];
  invoke: Invoke;
  clock?: Clock;
  onScheduleError?: (schedule: Schedule, error: unknown) => void;
}): Promise<AwsEndpoint> {
  const { schedules = [], invoke, clock = systemClock, onScheduleError } = options;
  const queues = createQueues(options.queues, clock);
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scheduler = startScheduler({
    schedules,
    queues,
    clock,
    invoke,
    ...(onScheduleError && { onError: onScheduleError }),
  });

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const target = request.headers['x-amz-target'];
    const body = await readJson(request);
    const { pathname: path } = new URL(request.url ?? '/', url);
    const call =
      typeof target === 'string'
        ? () => callSqs(target.replace('AmazonSQS.', ''), body, { queues, signal: gone.signal })
        : () => callScheduler({ method: request.method ?? '', path, body }, scheduler);
    const contentType = target ? 'application/x-amz-json-1.0' : 'application/json';
    write(response, await replyTo(call, contentType));
  }

  return {
    url,
    queues,
    scheduler,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // A long poll would otherwise hold the server open for as long as it waits.
      server.closeAllConnections();
      await Promise.all([closed, scheduler.close()]);
    },
  };
}

async function replyTo(call: () => unknown, contentType: string): Promise<Reply> {
  try {
    return { contentType, status: 200, body: await call() };
  } catch (error) {
    const known = isAwsError(error) ? error : awsError('InternalServerException', String(error), 500);
    const { name, message, status, queryCode } = known;
    const headers = {
      'x-amzn-errortype': name,
      ...(queryCode && { 'x-amzn-query-error': `${queryCode};Sender` }),
    };
    return { contentType, status, headers, body: { __type: name, message, Message: message } };
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
}

function write(response: ServerResponse, { contentType, status, body, headers = {} }: Reply) {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    'content-type': contentType,
    'content-length': bytes.length,
    'x-amzn-requestid': randomUUID(),
  });
  response.end(bytes);
}
