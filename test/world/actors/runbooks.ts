/** An operator on call handles dead letters as the runbooks of the queues and workers say. */
import { queues, workers } from '../../../infra/deploy/workers.ts';
import type { Random } from '../../support/random.ts';
import { hourMs, minuteMs } from './action-times.ts';
import type { Api, DeadLetters } from './api.ts';

/** Handles dead letters every few hours until the time `until`, in epoch milliseconds. */
export async function onCall(api: Api, random: Random, until: number): Promise<void> {
  for (;;) {
    await api.wait(Math.min(5 * minuteMs + random.around(3 * hourMs), until - api.now()));
    if (api.now() >= until) return;
    await handleDeadLetters(api);
  }
}

/** Handles the dead letters of all queues and workers, and returns their number. Letters remain if a command fails. */
export async function handleDeadLetters(api: Api): Promise<number> {
  let count = 0;
  for (const [of, recover] of Object.entries(recoveries)) {
    const letters = api.deadLetters(of);
    count += letters.count;
    if (letters.count > 0) await recover(api, letters);
  }
  return count;
}

type Recover = (api: Api, letters: DeadLetters) => Promise<void>;

// Deletes the dead letters, because a scheduled worker repeats the failed work.
const purge: Recover = async (_, letters) => letters.purge();

const known: Record<string, Recover> = {
  deliveries: moveBack,
  drawings: purge,
  'spin-shards': purge,
  'workers/publish-events': replay,
  'workers/sweep-receivers': purge,
  'workers/index-rows': purge,
  'workers/start-spin-run': purge,
  'workers/check-row-index': purge,
  'workers/check-payouts': purge,
  'workers/close-books': purge,
  'workers/check-books': purge,
};

/** The procedure for the dead letters of each queue, and of each worker that has another source than a queue. */
const recoveries: Record<string, Recover> = Object.fromEntries(
  [
    ...Object.keys(queues),
    ...workers.filter(({ source }) => !('queue' in source)).map(({ name }) => name),
  ].map((name) => {
    const recover = known[name];
    if (!recover) throw new Error(`no runbook for the dead letters of ${name}`);
    return [name, recover];
  }),
);

async function moveBack(api: Api, letters: DeadLetters): Promise<void> {
  await api.admin(['webhooks', 'parked']);
  letters.moveBack();
}

// Margin of the replayed time range, because a record can be a minute older than its arrival in the stream.
const marginMs = 10 * minuteMs;

/** Replays all events in the dead letters' time range. Deletes the letters if the command succeeds. */
async function replay(api: Api, letters: DeadLetters): Promise<void> {
  const batches = letters.bodies.map((body) => JSON.parse(body).DDBStreamBatchInfo);
  const from = Math.min(
    ...batches.map(({ approximateArrivalOfFirstRecord: at }) => Date.parse(at) - marginMs),
  );
  const to = Math.max(...batches.map(({ approximateArrivalOfLastRecord: at }) => Date.parse(at) + marginMs));
  const window = ['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
  const { exitCode } = await api.admin(['webhooks', 'replay', ...window]);
  if (exitCode === 0) letters.purge();
}
