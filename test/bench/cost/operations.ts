/** All operations whose cost is measured, and their measuring, once in a run. */
import { createWebhook } from '../../../shared/webhooks/webhooks.ts';
import { startProcess } from '../webhook-process.ts';
import { hostOperations } from './host-operations.ts';
import { measure, type Operation, type Taken } from './measure.ts';
import { authorizerOperation, pageOperations, scheduleOperations } from './operator-operations.ts';
import { freeSpinOperations, organization, playOperations } from './play-operations.ts';
import { bookOperation, indexOperation, payoutsOperation, webhookOperations } from './record-operations.ts';
import { tableSize } from './running.ts';
import { startMeasuredStage } from './stage.ts';

/** What each operation takes, by its name. */
export type AllTaken = Map<string, Taken>;

let measuring: Promise<AllTaken> | undefined;

/** Measures all operations, the first time. */
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
    // What prepares finds DynamoDB by its first call, and is not to go by the wire.
    await stage.direct(tableSize);
    // First, as long as there is nothing.
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
  const told = await organization();
  const webhook = { callback_url: url, secret_key: 'a-secret-of-some-length' };
  const { webhook_id } = await createWebhook(told, webhook, Date.now());
  return [
    ...hostOperations(plain),
    ...(await playOperations(plain)),
    ...freeSpinOperations(plain),
    ...webhookOperations(told, webhook_id),
    ...(await pageOperations(await organization(), url)),
    await indexOperation(await organization(), 100),
    await indexOperation(await organization(), 1),
    payoutsOperation,
    bookOperation,
    await authorizerOperation(),
  ];
}
