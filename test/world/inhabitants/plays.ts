/** What hosts do with games: they get play URLs for their users, and give them the tickets. */
import { debugResults, games, langs } from '../../../shared/vocabulary.ts';
import type { Random } from '../random.ts';
import { giveTickets } from './balances.ts';
import { strandOf } from './calls.ts';
import { ask, type Host, type User } from './host.ts';
import { linkIn, visit } from './players.ts';

/** Gets a user a play URL, mostly with the tickets for it, and lets the player have it. */
export async function play(host: Host, user: User, random: Random): Promise<void> {
  if (user.tickets < 10 && random.chance(0.8)) await giveTickets(host, user, 5 + random.below(30), random);
  const body = {
    ...(random.chance(0.3) ? {} : { game: random.pick(games) }),
    ...(random.chance(0.3) ? {} : { lang: random.pick(langs) }),
  };
  const link = linkIn(await ask(host, { endpoint: 'games/play', path: { user_id: user.id }, body }, random));
  if (link) await visit(host, link, random);
}

/** Gets a user some play URLs, which are all played at once. */
export async function playAtOnce(host: Host, user: User, random: Random): Promise<void> {
  const strands = Array.from({ length: 2 + random.below(7) }, () => strandOf(random));
  await Promise.all(strands.map((strand) => play(host, user, strand)));
}

/** Gets a user a play URL that ends in a given way. */
export async function playForced(host: Host, user: User, random: Random): Promise<void> {
  const body = {
    result: random.pick(debugResults),
    ...(random.chance(0.3) ? {} : { lang: random.pick(langs) }),
  };
  const link = linkIn(await ask(host, { endpoint: 'debug/play', path: { user_id: user.id }, body }, random));
  if (link) await visit(host, link, random);
}
