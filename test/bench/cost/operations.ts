/** All operations of the cost model. They are measured once in a run of the bench. */
import { createWebhook } from '../../../shared/webhooks/webhooks.ts';
import { startProcess } from '../webhook-process.ts';
import { hostOperations } from './host-operations.ts';
import { measure, type Operation, type Taken } from './measure.ts';
import { authorizerOperation, pageOperations, scheduleOperations } from './operator-operations.ts';
import { freeSpinOperations, organization, playOperations } from './play-operations.ts';
import { bookOperation, indexOperation, payoutsOperation, webhookOperations } from './record-operations.ts';
import { tableSize } from './running.ts';
import { startMeasuredStage } from './stage.ts';

/** The use of each operation by name. */
export type AllTaken = Map<string, Taken>;

let measuring: Promise<AllTaken> | undefined;

/** Measures all operations on the first call. */
export function allTaken(): Promise<AllTaken> {
  measuring ??= measureAll();
  return measuring;
}

async function measureAll(): Promise<AllTaken> {
  const stage = await startMeasuredStage();
  const receiver = startProcess('webhook-receiver.ts', ['0']);
  const taken: AllTaken = new Map();
  const measureEach = async (operations: Operation[]) => {
    for (const operation of operations) taken.set(operation.name, await measure(operation, stage));
  };
  try {
    // The client of the preparations keeps the endpoint of its first call, which must not be the proxy.
    await stage.direct(tableSize);
    // Scheduled operations come first, while the stage has no data.
    await measureEach(scheduleOperations);
    await measureEach(await stage.direct(async () => makeOperations(await receiver.next())));
    return taken;
  } finally {
    receiver.end();
    await stage.stop();
  }
}

async function makeOperations(url: string): Promise<Operation[]> {
  const plain = await organization();
  const withWebhook = await organization();
  const webhook = { callback_url: url, secret_key: 'a-secret-of-some-length' };
  const { webhook_id } = await createWebhook(withWebhook, webhook, Date.now());
  return [
    ...hostOperations(plain),
    ...(await playOperations(plain)),
    ...freeSpinOperations(plain),
    ...webhookOperations(withWebhook, webhook_id),
    ...(await pageOperations(await organization(), url)),
    await indexOperation(await organization(), 100),
    await indexOperation(await organization(), 1),
    payoutsOperation,
    bookOperation,
    await authorizerOperation(),
  ];
}
