/** Measures each operation of the cost model once, so that all rows of the bench share the results. */
import { registerWebhook } from '../../../shared/webhooks/webhooks.ts';
import { startProcess } from '../../support/line-process.ts';
import { hostOperations } from './host-operations.ts';
import { type MeasuredUse, measure, type Operation } from './measure.ts';
import { authorizerOperation, pageOperations, scheduleOperations } from './operator-operations.ts';
import { freeSpinOperations, organization, playOperations } from './play-operations.ts';
import { bookOperation, indexOperation, payoutsOperation, webhookOperations } from './record-operations.ts';
import { tableSize } from './running.ts';
import { startMeasuredStage } from './stage.ts';

/** Measured use of each operation, by the operation's name. */
export type MeasuredUses = Map<string, MeasuredUse>;

let measuring: Promise<MeasuredUses> | undefined;

/** Measures all operations at the first call. Later calls return the same results. */
export function measureAllOnce(size: number): Promise<MeasuredUses> {
  measuring ??= measureAll(size);
  return measuring;
}

async function measureAll(size: number): Promise<MeasuredUses> {
  const stage = await startMeasuredStage();
  const receiver = startProcess('bench/webhook-receiver.ts', ['0']);
  const measured: MeasuredUses = new Map();
  const measureEach = async (operations: Operation[]) => {
    for (const operation of operations) measured.set(operation.name, await measure(operation, stage, size));
  };
  try {
    // Makes a first call without proxies: the client that prepares data keeps its first endpoint, so the proxies never
    // count the calls of this client.
    await stage.direct(tableSize);
    // Measures scheduled operations first, while the stage has no data for them to process.
    await measureEach(scheduleOperations);
    await measureEach(await stage.direct(async () => makeOperations(await receiver.next(), size)));
    return measured;
  } finally {
    receiver.end();
    await stage.stop();
  }
}

async function makeOperations(url: string, size: number): Promise<Operation[]> {
  const plain = await organization();
  const withWebhook = await organization();
  const webhook = { callback_url: url, secret_key: 'a-secret-of-some-length' };
  const { webhook_id } = await registerWebhook(withWebhook, webhook, Date.now());
  return [
    ...hostOperations(plain),
    ...(await playOperations(plain)),
    ...freeSpinOperations(plain),
    ...webhookOperations(withWebhook, webhook_id),
    ...(await pageOperations(await organization(), url, size)),
    await indexOperation(await organization(), 100, size),
    await indexOperation(await organization(), 1, size),
    payoutsOperation(size),
    bookOperation(size),
    await authorizerOperation(),
  ];
}
