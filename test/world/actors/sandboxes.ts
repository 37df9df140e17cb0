/** A host tries the service in a sandbox: an organization whose data it resets. */
import type { Random } from '../random.ts';
import { minuteMs } from './action-times.ts';
import type { Api } from './api.ts';
import { type Caller, call, type Request } from './client.ts';
import type { Host } from './host.ts';
import { createOrganization } from './operators.ts';

/** Milliseconds after which a reset is executed, and the gateway's cached authorization from before has expired. */
const resetAfterMs = 5 * minuteMs;

/** Creates an organization, resets it, and uses it again. */
export async function trySandbox({ api, name, habits }: Host, random: Random): Promise<void> {
  const caller = await createOrganization(api, `${name} sandbox`);
  if (!caller) return;
  const askAs =
    (by: Caller): Ask =>
    (request) =>
      call(api, request.endpoint.startsWith('play/') ? playerOf(by) : by, request, random, habits);
  const ask = askAs(caller);
  const tester = await createTester(ask);
  if (tester) await playAndQueue(ask, tester);
  await api.wait(random.pick([0, minuteMs, 20 * minuteMs]));
  await ask({ endpoint: 'debug/reset', body: {} });
  await api.wait(resetAfterMs);
  const organizationId = await organizationAfterReset(api, caller.organizationId);
  if (!organizationId) return;
  const askAfter = askAs({ ...caller, organizationId, named: caller.organizationId });
  const fresh = await createTester(askAfter);
  if (fresh) await playAndQueue(askAfter, fresh);
}

type Ask = (request: Request) => ReturnType<typeof call>;
const playerOf = ({ organizationId }: Caller): Caller => ({ organizationId });

/** Creates a user, after a search that finds nobody. Returns the path parameters of requests about the user. */
async function createTester(ask: Ask): Promise<{ user_id: string } | undefined> {
  await ask({ endpoint: 'users/find', query: { external_reference: 'a tester' } });
  const created = await ask({ endpoint: 'users/create', body: { external_reference: 'a tester' } });
  return created?.status === 200 ? { user_id: created.body.user_id } : undefined;
}

/** Makes a user's play, and an order of free spins. */
async function playAndQueue(ask: Ask, path: { user_id: string }): Promise<void> {
  const key = 'once';
  await ask({ endpoint: 'tickets/credit', path, body: { amount: 5, idempotency_key: key } });
  await ask({ endpoint: 'amoe/queue', path, body: { num_of_spins: 2, idempotency_key: key } });
  await ask({ endpoint: 'games/check-eligibility', path });
  const made = await ask({ endpoint: 'games/play', path, body: { game: 'prizewheel', lang: 'en' } });
  const token = String(made?.body.url).split('/').at(-1)!;
  if (made?.status === 200) await ask({ endpoint: 'play/spin', path: { token }, body: {} });
}

/** Returns the id of the organization whose data a host now uses. Undefined if no reset was executed. */
async function organizationAfterReset(api: Api, alias: string): Promise<string | undefined> {
  const { exitCode, printed } = await api.admin(['org', 'list']);
  if (exitCode !== 0) return undefined;
  const listed = printed.organizations as { organization_id: string; alias?: string }[];
  return listed.find((organization) => organization.alias === alias)?.organization_id;
}
