/** Measures webhook speed on its own local stage. Prints JSON for `webhooks.ts`. */
import { randomUUID } from 'node:crypto';
import { startLocalStage } from '../../infra/develop/local/stage.ts';
import { newId } from '../../shared/ids.ts';
import { startProcess } from '../support/line-process.ts';
import { byTurns, scaled, scaledTurns } from './row.ts';
import { startBenchDynamodb } from './table.ts';

// Turns logging off, because stdout must contain only the JSON figures.
process.env.LOG_LEVEL = 'SILENT';
const size = Number(process.argv[2]);
const stage = await startLocalStage({
  port: 0,
  tableName: 'incentives-bench-webhooks',
  startDatabase: startBenchDynamodb,
});
const { createOrganization } = await import('../../shared/actions/create-organization.ts');
const { registerWebhook, readWebhook } = await import('../../shared/webhooks/webhooks.ts');
const { deliveriesOf } = await import('../../shared/webhooks/publishing.ts');
const { transactionOf, userOf, writeRecords } = await import('../support/records.ts');
const { guardedPost } = await import('../../shared/webhooks/post.ts');
const { signedHeaders } = await import('../../shared/webhooks/signature.ts');

const organizationId = (await createOrganization('Bench', 'local', { operator: 'test', now: Date.now() }))
  .organization_id;
const receiver = startProcess('bench/webhook-receiver.ts', ['100']);
const url = await receiver.next();
const secret_key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const { webhook_id } = await registerWebhook(organizationId, { callback_url: url, secret_key }, Date.now());

const atOnce = 40;
const perBatch = 10;
// Number of deliveries per measurement. Measurements of service and baseline alternate, so that other processes slow
// both equally.
const deliveries = scaled(400, size, atOnce);
const turns = scaledTurns({ turns: 8, warmUp: 2 }, size);
const body = JSON.stringify({
  id: 'evt_01M7W28HGG5N4403RVW8N395KJ',
  type: 'balance_updated',
  timestamp: new Date().toISOString(),
  sequence: 1,
  data: {
    user_id: 'usr_01M7W28HAZTD4FF9ZG1XCAAS3J',
    amount: 5,
    new_balance: 17,
    description: 'x'.repeat(80),
  },
});

/** Calls a function `count` times with limited concurrency. Returns the number of calls per second. */
async function perSecond(count: number, concurrency: number, run: (index: number) => Promise<unknown>) {
  let next = 0;
  const started = performance.now();
  const work = async () => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (count * 1000) / (performance.now() - started);
}

const post = guardedPost('local');
const raw = () =>
  perSecond(deliveries, atOnce, () => {
    const signed = { id: randomUUID(), atSeconds: Math.floor(Date.now() / 1000), body };
    return post(url, signedHeaders(signed, [secret_key]), body);
  });

const webhook = await readWebhook(organizationId, webhook_id);
/** Returns the number of calls that the receiver has got. */
const arrived = async () => Number(await receiver.ask());
const records = await Promise.all(
  Array.from({ length: deliveries }, async () => {
    const user = userOf(organizationId, newId('usr', Date.now()));
    return (await transactionOf(user, 'tickets', Date.now())).record;
  }),
);
await writeRecords(records);
// The stage delivers the events of the new records itself. Waits for them, so that only measured ones are counted.
while ((await arrived()) < deliveries) await new Promise((resolve) => setTimeout(resolve, 100));
const messages = deliveriesOf(records, () => [webhook]).map(({ delivery }) => JSON.stringify(delivery));
const sent = async () => {
  const before = await arrived();
  const batches = await perSecond(deliveries / perBatch, atOnce / perBatch, (index) => {
    const bodies = messages.slice(index * perBatch, (index + 1) * perBatch);
    const Records = bodies.map((body) => ({ messageId: randomUUID(), body }));
    return stage.invoke('workers/send-webhook', { Records });
  });
  const calls = (await arrived()) - before;
  if (calls !== deliveries) throw new Error(`${deliveries} deliveries led to ${calls} calls`);
  return batches * perBatch;
};

const rates = await byTurns((name) => (name === 'ours' ? sent() : raw()), turns);
console.log(JSON.stringify(rates));
receiver.end();
await stage.stop();
process.exit(0);
