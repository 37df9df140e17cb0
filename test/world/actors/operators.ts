/** Operators change an organization's keys, users and webhooks by command. */
import type { Random } from '../../support/random.ts';
import { hourMs, minuteMs } from './action-times.ts';
import type { Api } from './api.ts';
import { call } from './client.ts';
import { type Host, keep, later, pickOrUndefined, type User } from './host.ts';

/** Creates an organization. Returns its id and API key, or undefined if the command failed. */
export async function createOrganization(
  api: Api,
  name: string,
): Promise<{ organizationId: string; apiKey: string } | undefined> {
  const { exitCode, printed } = await api.admin(['org', 'create', '--name', name]);
  return exitCode === 0 ? { organizationId: printed.organization_id, apiKey: printed.api_key } : undefined;
}

// Milliseconds from the end of the revoking command until the gateway certainly refuses the key: its cache lasts a
// minute.
const certainlyRefusedMs = 5 * minuteMs;

/** Creates a new API key, switches the host to the new key, and revokes the old one later. */
export async function changeKey(host: Host, random: Random): Promise<void> {
  const { api, caller } = host;
  if (host.isChangingKey) return;
  host.isChangingKey = true;
  const before = caller.apiKey!;
  await revokeAllBut(host, before);
  const { exitCode, printed } = await api.admin(['key', 'create', '--org', caller.organizationId]);
  if (exitCode !== 0) throw new Error(`could not create a key: ${JSON.stringify(printed)}`);
  // Sometimes tries to create a third key. The service must refuse it, because an organization can have only two.
  if (random.chance(0.3)) await api.admin(['key', 'create', '--org', caller.organizationId]);
  await api.wait(random.around(10 * minuteMs));
  caller.apiKey = printed.api_key;
  // Waits at least an hour before the revocation, so that all requests with the old key have been answered.
  later(host, hourMs + random.around(hourMs), async () => {
    await revoke(host, before, random);
    host.isChangingKey = false;
  });
}

/** Revokes all API keys of an organization except the one in use. */
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
    const asked = { ...request, ...(mistake && { mistake }) };
    // A bad proxy could delay the valid request until the key is revoked.
    return call(api, { organizationId, apiKey }, asked, random, habits);
  };
  // Sends a request so that the gateway caches the key as valid before the revocation.
  await ask();
  const args = ['key', 'revoke', '--org', caller.organizationId, '--key', idOf(apiKey)];
  const { exitCode } = await api.admin(args);
  if (exitCode !== 0) return;
  later(host, certainlyRefusedMs, async () => {
    revokedKeys.push(apiKey);
    await ask('the key was revoked');
  });
  await api.admin(args);
}

/** Rebuilds the row indexes of the organization's reports. */
export async function rebuildReports(host: Host): Promise<void> {
  await host.api.admin(['report', 'rebuild', '--org', host.caller.organizationId]);
}

/** Explains a random user. */
export async function explainUser(host: Host, random: Random): Promise<void> {
  const user = pickOrUndefined(random, host.users);
  if (!user) return;
  await host.api.admin(['explain', user.id, '--org', host.caller.organizationId]);
}

/** Explains a random outcome: the command repeats its draw. */
export async function explainOutcome(host: Host, random: Random): Promise<void> {
  const id = pickOrUndefined(random, host.outcomes);
  if (id === undefined) return;
  await host.api.admin(['explain', id, '--org', host.caller.organizationId]);
}

/** Records what became of a random prize. Some steps cannot follow, and some outcomes won no prize to hand out. */
export async function handOver(host: Host, random: Random): Promise<void> {
  const id = pickOrUndefined(random, host.outcomes);
  if (id === undefined) return;
  const prize = ['--org', host.caller.organizationId, '--prize', id];
  const reason = ['--why', random.pick(['a form is missing', 'too late', 'a mistake 🤷'])];
  const reference = ['--reference', `parcel ${random.below(3)}`];
  const step = random.pick([
    ['deliver', ...prize, ...reference],
    ['deliver', ...prize, ...reference, ...reason],
    ['hold', ...prize, ...reason],
    ['forfeit', ...prize, ...reason],
    ['correct', ...prize, '--state', random.pick(['open', 'held']), ...reason],
  ]);
  await Promise.all([
    host.api.admin(['prize', ...step]),
    random.chance(0.3) ? host.api.admin(['prize', ...step]) : undefined,
  ]);
}

/** Imports what became of a few prizes from a file. If one step cannot follow, nothing of the file may be done. */
export async function importPrizes(host: Host, random: Random): Promise<void> {
  const ids = Array.from({ length: 1 + random.below(3) }, () => pickOrUndefined(random, host.outcomes));
  const lines = ids.flatMap((id) => (id ? `${id},delivered,parcel ${random.below(3)}` : []));
  const csv = ['prize_id,state,reference', ...lines].join('\n');
  const args = ['prize', 'import', '--org', host.caller.organizationId, '--file', 'prizes.csv'];
  await host.api.admin(args, { 'prizes.csv': csv });
}

/** Replays the events of about an hour to the host's webhooks, although no event was lost. */
export async function replay(host: Host, random: Random): Promise<void> {
  const from = host.api.now() - Math.floor(random.around(3 * hourMs));
  const to = from + 1 + Math.floor(random.around(hourMs));
  const window = ['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
  await host.api.admin(['webhooks', 'replay', ...window, '--org', host.caller.organizationId]);
}

/** Drops the replaced secrets of a random webhook, as operators do after a leak. */
export async function dropSecret(host: Host, random: Random): Promise<void> {
  const known = pickOrUndefined(random, host.webhooks);
  if (!known) return;
  const { organizationId } = host.caller;
  await host.api.admin(['webhooks', 'drop-secret', '--org', organizationId, '--webhook', known.id]);
}

export async function adjustBalance(host: Host, random: Random): Promise<void> {
  const user = pickOrUndefined(random, host.users);
  if (user) await adjust(host, user, random);
}

/** Adjusts one balance of a user. With `--once`, a repeated command has no further effect. */
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

/** Erases a random user. Afterwards, the host may give the user's reference to another user. */
export async function eraseUser(host: Host, random: Random): Promise<void> {
  const user = pickOrUndefined(random, host.users);
  if (!user || host.users.length < 2 || host.users[0] === user) return;
  host.users.splice(host.users.indexOf(user), 1);
  // Before 60 % of the erasures, an operator adjusts a balance of the user.
  if (random.chance(0.6)) await adjust(host, user, random);
  keep(host.formerReferences, user.reference, random);
  const why = `request ${random.below(1e6)}`;
  const args = ['user', 'erase', '--org', host.caller.organizationId, '--user', user.id, '--why', why];
  await Promise.all([host.api.admin(args), random.chance(0.1) ? host.api.admin(args) : undefined]);
}

/** Returns the arguments of the erase commands so far, one command per user. */
export function eraseCommands({ journal }: Api): string[][] {
  const begun = journal.operatorCommands.filter(({ args }) => args[0] === 'user' && args[1] === 'erase');
  return [...new Map(begun.map(({ args }) => [args[5], args])).values()];
}

/**
 * Repeats each erase command up to three times, until it reports the erasure as complete. Call it when no deliveries
 * are pending.
 */
export async function repeatErasures(api: Api): Promise<void> {
  for (const args of eraseCommands(api)) {
    for (let runs = 0; runs < 3; runs++) {
      const { exitCode, printed } = await api.admin(args);
      if (exitCode !== 0 || printed.complete) break;
      await api.wait(2 * 60_000);
    }
  }
}
