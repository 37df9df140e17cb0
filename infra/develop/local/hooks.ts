import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { newSecret } from '../../../shared/ids.ts';
import { spelledOutLines } from '../../../shared/spelled-out.ts';
import { argumentsOf, wholeNumber } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { requireStageFile, type StageFile } from '../../common/stage-file.ts';
import { lineOf } from './hooks-line.ts';
import { notStarted } from './not-started.ts';

const usage = `npm run hooks                      receive and print the webhooks of the local stage
npm run hooks -- --fail 30         respond 500 to 30% of the calls, to see retries
npm run hooks -- --event cash_won  receive only this event
npm run hooks -- --port 4000       listen on this port (default: any free port)
npm run hooks -- --payload         print full payloads`;

function options() {
  const { values } = argumentsOf({
    options: {
      fail: { type: 'string', default: '0' },
      event: { type: 'string', default: 'all' },
      port: { type: 'string', default: '0' },
      payload: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const fail = wholeNumber('--fail', values.fail, [0, 100]);
  const port = wholeNumber('--port', values.port, [0, 65_535]);
  return { ...values, fail, port };
}

type Options = { fail: number; payload: boolean };

function startReceiver(secret: string, port: number, { fail, payload: isFull }: Options) {
  const webhook = new Webhook(secret);
  const receivedIds = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const id = String(request.headers['webhook-id'] ?? '');
    const signatureError = problemWith(webhook, body, request.headers as Record<string, string>);
    const status = signatureError !== undefined ? 401 : Math.random() * 100 < fail ? 500 : 200;
    const payload = parsed(body);
    console.log(
      lineOf({ at: new Date(), id, signatureError, isRepeat: receivedIds.has(id), status, payload }),
    );
    if (isFull) console.log(spelledOutLines(JSON.stringify(payload, null, 2)));
    receivedIds.add(id);
    response.writeHead(status).end();
  });
  return new Promise<{ url: string; close: () => void }>((resolve, reject) => {
    server.once('error', () =>
      reject(new Problem(`Port ${port} cannot be used. Choose another with --port, or omit --port.`)),
    );
    server.listen(port, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      resolve({ url, close: () => server.closeAllConnections() });
    });
  });
}

function problemWith(webhook: Webhook, body: string, headers: Record<string, string>): string | undefined {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

async function call(stage: StageFile, method: string, path: string, body?: object) {
  const response = await fetch(stage.base_url + path, {
    method,
    headers: { authorization: `Bearer ${stage.api_key}`, 'x-organization-id': stage.organization_id },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { message?: string; webhook_id: string };
  if (!response.ok) throw new Problem(`The local stage refused the request: ${answer.message}`);
  return answer;
}

async function main(): Promise<void> {
  const { help, fail, event, port, payload } = options();
  if (help) return console.log(usage);
  const stage = requireStageFile();
  const secret = `whsec_${Buffer.from(newSecret()).toString('base64')}`;
  const { url, close } = await startReceiver(secret, port, { fail, payload });
  const { webhook_id } = await call(stage, 'POST', '/webhooks', {
    callback_url: url,
    secret_key: secret,
    event,
  });
  console.log(`
${styleText('bold', 'Receiving')} at ${styleText('cyan', url)} as ${webhook_id} (${event}). Press Ctrl-C to stop and delete the webhook.
Trigger an event, for example:

curl -s -H 'Authorization: Bearer ${stage.api_key}' -H 'X-Organization-Id: ${stage.organization_id}' -d '{"amount": 5, "description": "A gift", "idempotency_key": "'$RANDOM'"}' ${stage.base_url}/users/${stage.user_id}/tickets/credit
`);
  const end = async () => {
    await call(stage, 'DELETE', `/webhooks/${webhook_id}`).catch(() => {});
    close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
}

main().catch((error: unknown) => notStarted(error, usage));
