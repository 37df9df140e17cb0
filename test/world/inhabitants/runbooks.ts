/** What an operator does when an alarm says that there are dead letters: as the queues and workers say it. */
import { queues, workers } from '../../../infra/deploy/workers.ts';
import type { Random } from '../random.ts';
import { hourMs, minuteMs } from './rhythm.ts';
import type { Api, DeadLetters } from './surroundings.ts';

/** Looks at all dead letters every some hours until a time, and sees to those that there are. */
export async function onCall(api: Api, random: Random, until: number): Promise<void> {
  for (;;) {
    await api.wait(Math.min(5 * minuteMs + random.around(3 * hourMs), until - api.now()));
    if (api.now() >= until) return;
    await seeToDeadLetters(api);
  }
}

/** Sees to all dead letters that there are. Returns how many there were; what could not be mended is left for later. */
export async function seeToDeadLetters(api: Api): Promise<number> {
  let count = 0;
  for (const [of, recover] of Object.entries(recoveries)) {
    const letters = api.deadLetters(of);
    count += letters.count;
    if (letters.count > 0) await recover(api, letters);
  }
  return count;
}

type Recover = (api: Api, letters: DeadLetters) => Promise<void>;

// What the schedules do anyway is not done by hand.
const purge: Recover = async (_, letters) => letters.purge();

const known: Record<string, Recover> = {
  deliveries: redrive,
  'spin-shards': purge,
  'events/publish-events': replay,
  'events/index-rows': purge,
  'events/start-spin-run': purge,
  'events/check-row-index': purge,
  'events/check-payouts': purge,
  'events/close-books': purge,
};

/** Of each queue, and of each worker that has dead letters of its own, what to do with them. */
const recoveries: Record<string, Recover> = Object.fromEntries(
  [
    ...Object.keys(queues),
    ...workers.filter(({ source }) => !('queue' in source)).map(({ name }) => name),
  ].map((name) => {
    const recover = known[name];
    if (!recover) throw new Error(`nobody knows what to do with the dead letters of ${name}`);
    return [name, recover];
  }),
);

async function redrive(api: Api): Promise<void> {
  await api.admin(['webhooks', 'parked']);
  await api.admin(['webhooks', 'redrive']);
}

// Records carry the time of their request, which is before that of the stream by as long as it was tried.
const marginMs = 10 * minuteMs;

/** Tells of the time again in which the lost records were written; the letters go once that has worked. */
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
