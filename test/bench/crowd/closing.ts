/** Simulates the closing and the draw of a drawing with many entrants, beside players of the same organization. */
import { postTransaction } from '../../../shared/accounts/post.ts';
import { holderKey } from '../../../shared/table/drawing-keys.ts';
import type { Bundles } from '../../world/bundles.ts';
import { createCrowd } from './crowd.ts';
import { type Players, playing } from './midnight.ts';
import type { Heat } from './pressure.ts';

export type Options = { bundles: Bundles; entrants: number; plays: number };

/** Minutes are virtual, from midnight and from the announced time on. `hottest` is the hottest key of the closing. */
export type Closing = { closed: number; drawn: number; quiet: Players; busy: Players; hottest: Heat };

const minute = 60_000;
const midnight = Date.parse('2026-11-24T05:00:00Z');
const drawsAt = '2026-11-26T06:00';
const maxMinutes = 120;

/** Throws if an entrant is lost. Players win entries, too, so that some more are listed. */
export async function runClosing({ bundles, entrants, plays }: Options): Promise<Closing> {
  const crowd = createCrowd({ bundles, start: midnight - 26 * 60 * minute, limits: 1 });
  const { world, pass, pressure, store } = crowd;
  const until = (time: number) => pass(time - world.timeline.now());
  const large = await crowd.createOrganization('large');
  const players = await large.users(1000);
  store(players);
  const terms = ['--type', 'truck', '--closes', '2026-11-23', '--draws', drawsAt, '--claim-days', '30'];
  const prize = ['--prize', 'A truck', '--value-usd', '45000'];
  const announcement = ['drawing', 'announce', '--org', large.id, ...terms, ...prize];
  const { drawing_id } = (await pass(world.api.admin(announcement))).printed;
  await until(midnight - 10 * minute);
  const holders = await large.users(entrants);
  // Later than the holders' last ULID, which they share. Otherwise their next ones would be equal, too.
  const now = world.timeline.now();
  const credit = { account: 'truck' as const, amount: 3, description: '' };
  for (const user of holders) {
    const { user: holder, record } = postTransaction(user, credit, now);
    store([holder, record, holderKey(large.id, 'truck', user.user_id)]);
  }
  const crowding = playing(crowd, large, players, plays);
  await until(midnight);
  const quiet = crowding.seen();
  pressure.hottest();
  const read = async () => JSON.parse((await pass(large.ask('drawings/get', { drawing_id }))).body);
  const minutesUntil = async (state: string) => {
    for (let minutes = 1; minutes <= maxMinutes; minutes++) {
      await pass(minute);
      if ((await read()).state === state) return minutes;
    }
    throw new Error(`the drawing is not ${state} after ${maxMinutes} minutes`);
  };
  const closed = await minutesUntil('closed');
  const [busy, hottest] = [crowding.seen(), pressure.hottest()[0]!];
  crowding.stop();
  const { entrants: listed } = await read();
  if (listed < entrants) throw new Error(`only ${listed} of ${entrants} entrants are listed`);
  await until(Date.parse(`${drawsAt}-05:00`));
  return { closed, drawn: await minutesUntil('drawn'), quiet, busy, hottest };
}
