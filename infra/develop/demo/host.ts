/** The host app's side of the integration: where it calls the API, and what it keeps. */
import { randomBytes } from 'node:crypto';
import { IncentivesError } from '../../../shared/client/client.ts';
import { type Kept, keptAccount, shownAccount } from './accounts.ts';
import type { Feed } from './feed.ts';
import { createReceiver } from './receiver.ts';
import { type RecordedClient, recordedClient } from './recorded.ts';
import type { Call, Person } from './shown.ts';

/** The API, as a host is given it. */
export type ApiOptions = { baseUrl: string; apiKey: string; organizationId: string };

/** A host app that has begun. */
export type Host = {
  api: ApiOptions;
  feed: Feed;
  /** Runs one step of what a user does, and shows its requests to the developer, whatever comes of them. */
  step: <T>(title: string, run: (incentives: RecordedClient, calls: Call[]) => Promise<T>) => Promise<T>;
  accountOf: (person: Person | null) => Kept | undefined;
  /** Tells the pages of an account that it has changed. */
  changed: (kept: Kept) => void;
  signIn: (person: Person) => Promise<void>;
  /** Registers the receiver of webhooks at an address of this server, once; again if that failed. */
  register: (callbackUrl: string) => Promise<void>;
  receive: ReturnType<typeof createReceiver>;
};

/** A host app of an organization; nothing is sent before it is asked to. */
export function createHost(api: ApiOptions, feed: Feed): Host {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const accounts = new Map<string, Kept>();
  const accountOf = (person: Person | null) =>
    [...accounts.values()].find(({ shown }) => shown.person === person);
  let registering: Promise<void> | undefined;
  const step: Host['step'] = async (title, run) => {
    const calls: Call[] = [];
    try {
      return await run(recordedClient(api, calls), calls);
    } finally {
      feed.tellStep({ kind: 'calls', title, calls });
    }
  };
  return {
    api,
    feed,
    step,
    accountOf,
    changed: (kept) => feed.tell(kept.shown.person, { type: 'account', account: shownAccount(kept) }),
    async signIn(person) {
      if (accountOf(person)) return;
      const kept = await step('A user signs in', (incentives) => read(incentives, person));
      accounts.set(kept.userId, kept);
    },
    register(callbackUrl) {
      registering ??= step('The host registers its webhook', (incentives) =>
        register(incentives, callbackUrl, secret),
      ).catch((error: unknown) => {
        registering = undefined;
        throw error;
      });
      return registering;
    },
    receive: createReceiver({ secret, accounts, feed }),
  };
}

/** What the API knows of a person, who becomes a user if there is none of this reference. */
async function read(incentives: RecordedClient, person: Person): Promise<Kept> {
  const { user_id } = await userOf(incentives, `golondrina-${person}`);
  const { balance } = await incentives.tickets.balance({ user_id });
  const { transactions } = await incentives.reports.entries({ user_id });
  const { items } = await incentives.games.history({ user_id, limit: 1000 });
  const entries = { truck: 0, flight: 0 };
  for (const { entry_type, amount } of transactions) entries[entry_type] += amount;
  return keptAccount(person, user_id, { tickets: balance, entries, outcomes: items });
}

/** The user of a reference of the host's own, made if there is none. */
async function userOf(incentives: RecordedClient, external_reference: string): Promise<{ user_id: string }> {
  try {
    return await incentives.users.create({ external_reference });
  } catch (error) {
    const isKnown = error instanceof IncentivesError && error.code === 'external_reference_taken';
    if (isKnown) return incentives.users.find({ external_reference });
    throw error;
  }
}

/** Registers an address, in place of that of a demo before this one, whose port was another. */
async function register(incentives: RecordedClient, callback_url: string, secret_key: string) {
  const { pathname } = new URL(callback_url);
  const { webhooks } = await incentives.webhooks.list({ limit: 1000 });
  const before = webhooks.find((webhook) => new URL(webhook.callback_url).pathname === pathname);
  if (!before) await incentives.webhooks.create({ callback_url, secret_key });
  else await incentives.webhooks.update({ webhook_id: before.webhook_id, callback_url, secret_key });
}
