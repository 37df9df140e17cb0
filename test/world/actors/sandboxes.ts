/** A host tries the service in an organization of its own, and then resets the organization. */
import type { Random } from '../random.ts';
import { minuteMs } from './action-times.ts';
import type { Api } from './api.ts';
import { type Caller, call, type Request } from './client.ts';
import type { Host } from './host.ts';
import { createOrganization } from './operators.ts';

/** Milliseconds after which a reset is executed, and the gateway's cached authorization from before has expired. */
const resetAfterMs = 5 * minuteMs;

/** Creates an organization, uses it, resets it, and uses it again. */
export async function trySandbox({ api, name, habits }: Host, random: Random): Promise<void> {
  const caller = await createOrganization(api, `${name} sandbox`);
  if (!caller) return;
  const ask = (by: Caller, request: Request) => call(api, by, request, random, habits);
  await useOnce((request) => ask(caller, request));
  await ask(caller, { endpoint: 'debug/reset', body: {} });
  await api.wait(resetAfterMs);
  const organizationId = await organizationAfterReset(api, caller.organizationId);
  if (!organizationId) return;
  const moved = { ...caller, organizationId, named: caller.organizationId };
  await ask(moved, { endpoint: 'users/find', query: { external_reference: 'a tester' } });
  await useOnce((request) => ask(moved, request));
}

/** Creates a user, who plays and gets free spins. */
async function useOnce(ask: (request: Request) => ReturnType<typeof call>): Promise<void> {
  const created = await ask({ endpoint: 'users/create', body: { external_reference: 'a tester' } });
  if (created?.status !== 200) return;
  const path = { user_id: created.body.user_id };
  await ask({ endpoint: 'tickets/credit', path, body: { amount: 5, idempotency_key: 'credit' } });
  await ask({ endpoint: 'amoe/queue', path, body: { num_of_spins: 2, idempotency_key: 'queue' } });
}

/** Returns the id of the organization whose data a host now uses. Undefined if no reset was executed. */
async function organizationAfterReset(api: Api, alias: string): Promise<string | undefined> {
  const { exitCode, printed } = await api.admin(['org', 'list']);
  if (exitCode !== 0) return undefined;
  const listed = printed.organizations as { organization_id: string; alias?: string }[];
  return listed.find((organization) => organization.alias === alias)?.organization_id;
}
