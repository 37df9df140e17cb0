import { randomBytes } from 'node:crypto';
import { IncentivesError } from '../../../shared/client/client.ts';
import { accountForPage, newStoredAccount, type StoredAccount } from './accounts.ts';
import type { PageFeed } from './feed.ts';
import type { ApiCall, PersonId } from './model.ts';
import { createWebhookHandler } from './receiver.ts';
import { createRecordedClient, type RecordedClient } from './recorded-client.ts';

export type ApiOptions = { baseUrl: string; apiKey: string; organizationId: string };

export type HostApp = ReturnType<typeof createHostApp>;

export function createHostApp(api: ApiOptions, feed: PageFeed) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const accounts = new Map<string, StoredAccount>();
  const accountOf = (person: PersonId | null) =>
    [...accounts.values()].find(({ account }) => account.person === person);
  let registering: Promise<void> | undefined;
  const step = async <T>(title: string, run: (incentives: RecordedClient) => Promise<T>): Promise<T> => {
    const calls: ApiCall[] = [];
    try {
      return await run(createRecordedClient(api, calls));
    } finally {
      feed.addStep({ kind: 'calls', title, calls });
    }
  };
  return {
    api,
    feed,
    step,
    accountOf,
    changed: (stored: StoredAccount) =>
      feed.send(stored.account.person, { type: 'account', account: accountForPage(stored) }),
    async signIn(person: PersonId) {
      if (accountOf(person)) return;
      const stored = await step('A user signs in', (incentives) => read(incentives, person));
      accounts.set(stored.userId, stored);
    },
    /** Registers the webhook, unless an earlier call has. */
    register(callbackUrl: string) {
      registering ??= step('The host registers its webhook', (incentives) =>
        register(incentives, callbackUrl, secret),
      ).catch((error: unknown) => {
        registering = undefined;
        throw error;
      });
      return registering;
    },
    receive: createWebhookHandler({ secret, accounts, feed }),
  };
}

async function read(incentives: RecordedClient, person: PersonId): Promise<StoredAccount> {
  const { user_id } = await userOf(incentives, `golondrina-${person}`);
  const { balances, sequence } = await incentives.users.summary({ user_id });
  const { items } = await incentives.games.history({ user_id, limit: 1000 });
  return newStoredAccount(person, user_id, { balances, sequence, outcomes: items });
}

/** Creates the user if it does not exist. */
async function userOf(incentives: RecordedClient, external_reference: string): Promise<{ user_id: string }> {
  try {
    return await incentives.users.create({ external_reference });
  } catch (error) {
    const isKnown = error instanceof IncentivesError && error.code === 'external_reference_taken';
    if (isKnown) return incentives.users.find({ external_reference });
    throw error;
  }
}

/** Registers the webhook, or gives it this URL if an earlier process registered it at another port. */
async function register(incentives: RecordedClient, callback_url: string, secret_key: string) {
  const { pathname } = new URL(callback_url);
  const { webhooks } = await incentives.webhooks.list({ limit: 1000 });
  const existing = webhooks.find((webhook) => new URL(webhook.callback_url).pathname === pathname);
  if (!existing) await incentives.webhooks.create({ callback_url, secret_key });
  else await incentives.webhooks.update({ webhook_id: existing.webhook_id, callback_url, secret_key });
}
