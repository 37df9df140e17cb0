/** Simulated hosts create play URLs for users. */
import { debugResults, games, langs } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { midnightAfter, minuteMs } from './action-times.ts';
import { giveTickets } from './balances.ts';
import { forkRandom } from './client.ts';
import { type Host, later, sendRequest, type User } from './host.ts';
import { type Link, linkIn, spin, visit } from './players.ts';

/** Creates a play URL and simulates its player. If the user has few tickets, mostly credits tickets first. */
export async function play(host: Host, user: User, random: Random): Promise<void> {
  if (user.tickets < 10 && random.chance(0.8)) await giveTickets(host, user, 5 + random.below(30), random);
  const link = await createLink(host, user, random);
  if (link) await visit(host, link, random);
}

async function createLink(host: Host, user: User, random: Random): Promise<Link | undefined> {
  const body = {
    ...(random.chance(0.3) ? {} : { game: random.pick(games) }),
    ...(random.chance(0.3) ? {} : { lang: random.pick(langs) }),
  };
  return linkIn(
    await sendRequest(host, { endpoint: 'games/play', path: { user_id: user.id }, body }, random),
  );
}

/** Creates two to eight play URLs for a user, with players that use them concurrently. */
export async function playAtOnce(host: Host, user: User, random: Random): Promise<void> {
  const streams = Array.from({ length: 2 + random.below(7) }, () => forkRandom(random));
  await Promise.all(streams.map((stream) => play(host, user, stream)));
}

/**
 * Prepares two to five play URLs for a user shortly before midnight, and plays them within three seconds of midnight:
 * instances with skewed clocks then disagree about the day of the user's plays and wins.
 */
export async function playAtMidnight(host: Host, user: User, random: Random): Promise<void> {
  const { api } = host;
  const stream = forkRandom(random);
  const midnight = midnightAfter(api.now());
  const untilPrepared = Math.max(0, midnight - 10 * minuteMs - api.now());
  later(host, untilPrepared, async () => {
    await giveTickets(host, user, 10 + stream.below(20), stream);
    const streams = Array.from({ length: 2 + stream.below(4) }, () => forkRandom(stream));
    await Promise.all(
      streams.map(async (player) => {
        const link = await createLink(host, user, player);
        const secondsFromMidnight = player.next() * 6 - 3;
        await api.wait(Math.max(0, midnight + secondsFromMidnight * 1000 - api.now()));
        if (link) await spin(host, link, player);
      }),
    );
  });
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
