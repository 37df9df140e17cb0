/** What operators do for an organization besides its settings: they change its keys, and prove what there is. */
import type { Random } from '../random.ts';
import { call } from './calls.ts';
import { anyOf, type Host, keep, later, type User } from './host.ts';
import { hourMs, minuteMs } from './rhythm.ts';
import type { Api } from './surroundings.ts';

/** Makes an organization. Returns its id and key, or undefined if that did not work. */
export async function createOrganization(
  api: Api,
  name: string,
): Promise<{ organizationId: string; apiKey: string } | undefined> {
  const { exitCode, printed } = await api.admin(['org', 'create', '--name', name]);
  return exitCode === 0 ? { organizationId: printed.organization_id, apiKey: printed.api_key } : undefined;
}

// The gateway may honour a key for a minute after it was revoked, and the command may take a while.
const forgottenMs = 5 * minuteMs;

/** Makes a new API key, moves the host over to it, and revokes the one before it some time later. */
export async function changeKey(host: Host, random: Random): Promise<void> {
  const { api, caller } = host;
  if (host.isChangingKey) return;
  host.isChangingKey = true;
  const before = caller.apiKey!;
  await revokeAllBut(host, before);
  const { exitCode, printed } = await api.admin(['key', 'create', '--org', caller.organizationId]);
  if (exitCode !== 0) throw new Error(`there is no new key: ${JSON.stringify(printed)}`);
  // There are two now, which is all that there may be.
  if (random.chance(0.3)) await api.admin(['key', 'create', '--org', caller.organizationId]);
  await api.wait(random.around(10 * minuteMs));
  caller.apiKey = printed.api_key;
  // What was sent with the key before has its answer by then.
  later(host, hourMs + random.around(hourMs), async () => {
    await revoke(host, before, random);
    host.isChangingKey = false;
  });
}

/** Revokes what a change of keys has left behind. */
async function revokeAllBut(host: Host, used: string): Promise<void> {
  const { organizationId } = host.caller;
  const { exitCode, printed } = await host.api.admin(['key', 'list', '--org', organizationId]);
  if (exitCode !== 0) return;
  const live = (printed.keys as Key[]).filter(({ revoked_at }) => revoked_at === undefined);
  for (const { key_id } of live) {
    if (key_id !== idOf(used)) {
      await host.api.admin(['key', 'revoke', '--org', organizationId, '--key', key_id]);
    }
  }
}
type Key = { key_id: string; revoked_at?: string };

const idOf = (apiKey: string) => apiKey.split('_')[2] ?? '';

async function revoke(host: Host, apiKey: string, random: Random): Promise<void> {
  const { api, caller, revokedKeys, habits } = host;
  const { organizationId } = caller;
  const ask = (mistake?: string) => {
    const request = { endpoint: 'users/find' as const, query: { external_reference: 'nobody' } };
    return call(api, { organizationId, apiKey }, { ...request, ...(mistake && { mistake }) }, random, habits);
  };
  // Someone still has it: the gateway knows it well.
  await ask();
  const args = ['key', 'revoke', '--org', caller.organizationId, '--key', idOf(apiKey)];
  const { exitCode } = await api.admin(args);
  if (exitCode !== 0) return;
  later(host, forgottenMs, async () => {
    revokedKeys.push(apiKey);
    await ask('the key was revoked');
  });
  await api.admin(args);
}

/** Makes the row indexes of the reports anew. */
export async function rebuildReports(host: Host): Promise<void> {
  await host.api.admin(['reports', 'rebuild', '--org', host.caller.organizationId]);
}

/** Has the cash of days granted in several chains from the next one on, or in fewer again. */
export async function chainCash({ api, caller }: Host, random: Random): Promise<void> {
  const chains = String(random.pick([1, 2, 5, 16]));
  // Too little for the dearest prize of some table now and then: that is refused.
  const cash = String(random.pick([900, 20_000]));
  const limits = ['--daily-cash', cash, '--cash-chains', chains];
  await api.admin(['game', 'limits', '--org', caller.organizationId, ...limits]);
}

/** Has the history of some user checked. */
export async function verifyUser(host: Host, random: Random): Promise<void> {
  const user = anyOf(random, host.users);
  if (!user) return;
  await host.api.admin(['user', 'verify', '--org', host.caller.organizationId, '--user', user.id]);
}

/** Has some outcome drawn again. */
export async function verifyOutcome(host: Host, random: Random): Promise<void> {
  const id = anyOf(random, host.outcomes);
  if (id === undefined) return;
  await host.api.admin(['outcome', 'verify', id, '--org', host.caller.organizationId]);
}

/** Tells the host's webhooks again of some hours, though nothing was lost. */
export async function replay(host: Host, random: Random): Promise<void> {
  const from = host.api.now() - Math.floor(random.around(3 * hourMs));
  const to = from + 1 + Math.floor(random.around(hourMs));
  const window = ['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
  await host.api.admin(['webhooks', 'replay', ...window, '--org', host.caller.organizationId]);
}

/** Has the secrets dropped that a webhook had before, as after a leak. */
export async function dropSecret(host: Host, random: Random): Promise<void> {
  const known = anyOf(random, host.webhooks);
  if (!known) return;
  const { organizationId } = host.caller;
  await host.api.admin(['webhooks', 'drop-secret', '--org', organizationId, '--webhook', known.id]);
}

/** Limits the deliveries to a webhook, or no longer. */
export async function limitDeliveries(host: Host, random: Random): Promise<void> {
  const known = anyOf(random, host.webhooks);
  if (!known) return;
  const one = ['--org', host.caller.organizationId, '--webhook', known.id];
  const perSecond = random.pick(['1', '5', '50', 'off']);
  await host.api.admin(['webhooks', 'limit', ...one, '--per-second', perSecond]);
}

/** Adjusts a balance of some user. */
export async function adjustBalance(host: Host, random: Random): Promise<void> {
  const user = anyOf(random, host.users);
  if (user) await adjust(host, user, random);
}

/** Adjusts a balance; with a text that makes it be done once, however often it is sent. */
async function adjust(host: Host, user: User, random: Random): Promise<void> {
  const amount = random.chance(0.1) ? 0 : Math.floor(random.around(20)) - 10;
  const once = `adjustment ${random.below(1e6)}`;
  const args = ['user', 'adjust', '--org', host.caller.organizationId, '--user', user.id];
  args.push('--account', random.pick(['tickets', 'truck', 'flight']), '--amount', String(amount));
  args.push('--why', `a mistake with ${user.reference}`, ...(random.chance(0.7) ? ['--once', once] : []));
  const done = await Promise.all([
    host.api.admin(args),
    random.chance(0.4) ? host.api.admin(args) : undefined,
  ]);
  if (args.includes('--once') && done.some((one) => one && one.exitCode !== 0)) await host.api.admin(args);
}

/** Erases some user, for good: the host knows it no more, and its reference is free. */
export async function eraseUser(host: Host, random: Random): Promise<void> {
  const user = anyOf(random, host.users);
  if (!user || host.users.length < 2 || host.users[0] === user) return;
  host.users.splice(host.users.indexOf(user), 1);
  // There are words about most.
  if (random.chance(0.6)) await adjust(host, user, random);
  keep(host.givenUp, user.reference, random);
  const why = `request ${random.below(1e6)}`;
  const args = ['user', 'erase', '--org', host.caller.organizationId, '--user', user.id, '--why', why];
  await Promise.all([host.api.admin(args), random.chance(0.1) ? host.api.admin(args) : undefined]);
}

/** The commands that have erased users, or were to, one for each. */
export function erasing({ journal }: Api): string[][] {
  const begun = journal.operatorCommands.filter(({ args }) => args[0] === 'user' && args[1] === 'erase');
  return [...new Map(begun.map(({ args }) => [args[5], args])).values()];
}

/** Erases users once more: what was on its way to webhooks has arrived by now. */
export async function eraseAgain(api: Api): Promise<void> {
  for (const args of erasing(api)) await api.admin(args);
}
