import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isForOwnHost } from '../../../common/own-host.ts';
import { answerAwsRequest } from './answer.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Invoke } from './invoke-function.ts';
import type { QueueDeclaration } from './queue.ts';
import { createQueues, type Queues } from './queues.ts';
import type { Schedule, ScheduleDeclaration } from './schedule.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

/** `queues` and `scheduler` give this process direct access, without HTTP. */
export type AwsEndpoint = {
  /** Value for `AWS_ENDPOINT_URL_SQS`, `AWS_ENDPOINT_URL_SCHEDULER` and `AWS_ENDPOINT_URL_KMS`. */
  url: string;
  queues: Queues;
  scheduler: Scheduler;
  close(): Promise<void>;
};

/** Serves local SQS, EventBridge Scheduler and KMS on a free port of 127.0.0.1, and starts the schedules. */
export async function startAwsEndpoint(options: {
  queues: QueueDeclaration[];
  schedules?: ScheduleDeclaration[];
  invoke: Invoke;
  clock?: Clock;
  onScheduleError?: (schedule: Schedule, error: unknown) => void;
}): Promise<AwsEndpoint> {
  const { schedules = [], invoke, clock = systemClock, onScheduleError: onError } = options;
  const queues = createQueues(options.queues, clock);
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const scheduler = startScheduler({ schedules, queues, clock, invoke, ...(onError && { onError }) });

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // Refuses web pages, whose requests have an `Origin` header or, after DNS rebinding, a foreign `Host`.
    if (!isForOwnHost(request) || request.headers.origin !== undefined) {
      response.writeHead(403).end('Only programs on this machine may use the local stage.');
      return;
    }
    const { method = '', url: path = '' } = request;
    const target = request.headers['x-amz-target']?.toString();
    const awsRequest = { method, path, target, body: await text(request) };
    const reply = await answerAwsRequest(awsRequest, { queues, scheduler, signal: gone.signal });
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queues,
    scheduler,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Closes open connections first, because a long poll would keep the server from closing.
      server.closeAllConnections();
      await Promise.all([closed, scheduler.close()]);
    },
  };
}
