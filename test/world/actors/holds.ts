/** Operators put an organization, game, user, play URL or free spins on hold, and later release the hold. */
import { pausable } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { hourMs, minuteMs } from './action-times.ts';
import type { CommandResult } from './api.ts';
import { creditTickets } from './balances.ts';
import { forkRandom } from './client.ts';
import { playGuestSpins } from './free-spins.ts';
import { type Host, pickOrUndefined, sendRequest, type User } from './host.ts';
import { linkIn } from './players.ts';
import { play } from './plays.ts';

/**
 * Starts a hold with the command `<noun> <startCommand>`, unless it would outlast the workload. Later repeats `<noun>
 * <endCommand>` until it succeeds.
 */
async function placeHold(
  host: Host,
  random: Random,
  noun: string,
  startCommand: string,
  endCommand: string,
  what: string[],
) {
  const { api, caller, until, backgroundTasks } = host;
  const ms = random.around(random.pick([minuteMs, 20 * minuteMs, 3 * hourMs, 30 * hourMs]));
  if (api.now() + ms > until) return;
  const options = ['--org', caller.organizationId, ...what, '--why', random.pick(['a doubt', 'a rumour 🤷'])];
  // Releases the hold even after a failed command, because the failed command may have started the hold.
  await api.admin([noun, startCommand, ...options]);
  backgroundTasks.push(
    (async () => {
      await api.wait(ms);
      while (!isUndone(await api.admin([noun, endCommand, ...options]))) await api.wait(minuteMs);
    })(),
  );
}

/** Returns whether a hold has ended: the command released it, or the user on hold was erased. */
const isUndone = ({ exitCode, printed }: CommandResult) =>
  exitCode === 0 || String(printed).includes('Invalid user ID');

/** In 70 % of cases, credits tickets to a user and plays during a hold, because hosts are not told about holds. */
async function continueForUser(host: Host, user: User | undefined, random: Random): Promise<void> {
  if (!user || random.chance(0.3)) return;
  await creditTickets(host, user, forkRandom(random));
  await Promise.all([play(host, user, forkRandom(random)), playGuestSpins(host, user, forkRandom(random))]);
}

/** Suspends the organization for minutes to days. */
export async function suspend(host: Host, random: Random): Promise<void> {
  await placeHold(host, random, 'org', 'suspend', 'resume', []);
  await continueForUser(host, pickOrUndefined(random, host.users), random);
}

/** Pauses a game or all free spins (AMOE) for minutes to days. */
export async function pause(host: Host, random: Random): Promise<void> {
  await placeHold(host, random, 'game', 'pause', 'resume', ['--game', random.pick(pausable)]);
  await continueForUser(host, pickOrUndefined(random, host.users), random);
}

/** Freezes a random user for minutes to days. */
export async function freeze(host: Host, random: Random): Promise<void> {
  const user = pickOrUndefined(random, host.users);
  if (!user) return;
  await placeHold(host, random, 'user', 'freeze', 'unfreeze', ['--user', user.id]);
  await continueForUser(host, user, random);
}

/** Cancels a random user's remaining free spins. In 70 % of the cases, restores them later. */
export async function cancelSpins(host: Host, random: Random): Promise<void> {
  const { api, caller } = host;
  const user = pickOrUndefined(random, host.users);
  if (!user) return;
  const what = ['--user', user.id];
  if (random.chance(0.7)) return placeHold(host, random, 'user', 'cancel-spins', 'restore-spins', what);
  await api.admin(['user', 'cancel-spins', '--org', caller.organizationId, ...what, '--why', 'for good']);
}

/** Voids a recent play URL, sometimes while a player plays it. Restores half of the voided URLs later. */
export async function voidPlay(host: Host, random: Random): Promise<void> {
  const { api, caller } = host;
  const urls = api.journal.exchanges.flatMap(({ organizationId, answer }) =>
    organizationId === caller.organizationId && linkIn(answer) ? [String(answer?.body.url)] : [],
  );
  const url = pickOrUndefined(random, urls.slice(-5));
  if (url === undefined) return;
  const token = url.split('/').at(-1)!;
  const options = ['--org', caller.organizationId, '--url', random.pick([url, token]), '--why', 'leaked'];
  const isPlayed = random.chance(0.3);
  const playing = isPlayed ? playSoon(host, token, forkRandom(random)) : undefined;
  await Promise.all([api.admin(['play', 'void', ...options]), playing]);
  if (random.chance(0.5)) return;
  await api.wait(random.around(5 * minuteMs));
  await api.admin(['play', 'restore', ...options]);
}

/** Plays a play URL after about a second. At about the same time, an operator voids the URL. */
async function playSoon(host: Host, token: string, random: Random): Promise<void> {
  await host.api.wait(random.around(700));
  await sendRequest(host, { endpoint: 'play/spin', path: { token }, body: {} }, random);
}
