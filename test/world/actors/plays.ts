/** Simulated hosts create play URLs for users. */
import { debugResults, games, langs } from '../../../shared/vocabulary.ts';
import type { Random } from '../random.ts';
import { giveTickets } from './balances.ts';
import { forkRandom } from './client.ts';
import { type Host, sendRequest, type User } from './host.ts';
import { linkIn, visit } from './players.ts';

/** Creates a play URL and simulates its player. If the user has few tickets, mostly credits tickets first. */
export async function play(host: Host, user: User, random: Random): Promise<void> {
  if (user.tickets < 10 && random.chance(0.8)) await giveTickets(host, user, 5 + random.below(30), random);
  const body = {
    ...(random.chance(0.3) ? {} : { game: random.pick(games) }),
    ...(random.chance(0.3) ? {} : { lang: random.pick(langs) }),
  };
  const link = linkIn(
    await sendRequest(host, { endpoint: 'games/play', path: { user_id: user.id }, body }, random),
  );
  if (link) await visit(host, link, random);
}

/** Creates two to eight play URLs for a user, with players that use them concurrently. */
export async function playAtOnce(host: Host, user: User, random: Random): Promise<void> {
  const streams = Array.from({ length: 2 + random.below(7) }, () => forkRandom(random));
  await Promise.all(streams.map((stream) => play(host, user, stream)));
}

/** Creates a play URL with a chosen result through the debug endpoint, and lets a player use it. */
export async function playForced(host: Host, user: User, random: Random): Promise<void> {
  const body = {
    result: random.pick(debugResults),
    ...(random.chance(0.3) ? { game: random.pick(games) } : {}),
    ...(random.chance(0.3) ? { valid_seconds: random.pick([1, 60, 1800]) } : {}),
    ...(random.chance(0.3) ? {} : { lang: random.pick(langs) }),
  };
  const link = linkIn(
    await sendRequest(host, { endpoint: 'debug/play', path: { user_id: user.id }, body }, random),
  );
  if (link) await visit(host, link, random);
}
