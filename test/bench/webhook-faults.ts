/**
 * Sends events (default 1,000) to a webhook receiver that fails a third of its calls. Prints JSON for `webhooks.ts`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startLocalStage } from '../../infra/develop/local/stage.ts';
import { startProcess } from './webhook-process.ts';

const count = Number(process.argv[2] ?? 1000);
process.env.RETRY_DELAYS_SECONDS = '1,1,1,2,2,2,2';
const stage = await startLocalStage({ port: 0 });
const { createOrganization } = await import('../../shared/operations/create-organization.ts');
const { createUser } = await import('../../shared/accounts/references.ts');
const { credit } = await import('../../shared/accounts/ledger.ts');
const { createWebhook } = await import('../../shared/webhooks/webhooks.ts');
const { redrive } = await import('../../shared/webhooks/parked.ts');

const organizationId = (await createOrganization('Faults', 'local', { operator: 'test', now: Date.now() }))
  .organization_id;
const receiver = startProcess('webhook-receiver.ts', ['5', '33.3']);
const callback_url = await receiver.next();
await createWebhook(organizationId, { callback_url, secret_key: 'secret' }, Date.now());

const started = performance.now();
let left = count;
async function commitSome() {
  const { user_id: userId } = await createUser(organizationId, randomUUID(), Date.now());
  const change = () => ({ amount: 1, description: '', idempotency_key: randomUUID() });
  while (left-- > 0)
    await credit({ organizationId, userId, account: 'tickets', change: change(), now: Date.now() });
}
await Promise.all(Array.from({ length: 16 }, commitSome));
const committedSeconds = (performance.now() - started) / 1000;

type Called = { calls: number; taken: number };
const called = async () => JSON.parse(await receiver.ask()) as Called[];
const queue = stage.aws.queues.get('deliveries');
/** Number of deliveries that ended in the dead-letter queue and were redriven. */
let parked = 0;
let calls = await called();
const deadline = performance.now() + 300_000;
while (calls.filter(({ taken }) => taken > 0).length < count && performance.now() < deadline) {
  await pause(500);
  if (queue.messages().length === 0) parked += await redrive(async () => {});
  calls = await called();
}
// Waits until the queue is empty, so that late repetitions of deliveries count as duplicates.
while (queue.messages().length > 0) await pause(100);
calls = await called();
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const delivered = calls.filter(({ taken }) => taken > 0).length;
console.log(
  JSON.stringify({
    events: count,
    lost: count - delivered,
    duplicates: sum(calls.map(({ taken }) => Math.max(0, taken - 1))),
    calls: sum(calls.map((call) => call.calls)),
    failed: sum(calls.map((call) => call.calls - call.taken)),
    parked,
    committedSeconds,
    seconds: (performance.now() - started) / 1000,
  }),
);
receiver.end();
await stage.stop();
process.exit(0);
