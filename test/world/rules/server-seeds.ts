/** Recomputes the server seeds of draws with the KMS key of the local stage, which simulated worlds use too. */
import { createHmac } from 'node:crypto';
import { callKms, drawKeyArn } from '../../../infra/develop/local/aws/kms.ts';
import type { StoredItem } from '../journal.ts';
import { dayAt } from './days-and-ulids.ts';
import { commitmentOf } from './hashes.ts';

/** Returns an organization's secret of a New York day, from which the day's server seeds are derived. */
export function daySecret(organizationId: string, day: string): Buffer {
  const Message = Buffer.from(['draws', organizationId, day].join('\n')).toString('base64');
  const input = { KeyId: drawKeyArn, MacAlgorithm: 'HMAC_SHA_256', Message };
  return Buffer.from((callKms('GenerateMac', input) as { Mac: string }).Mac, 'base64');
}

/** Returns the New York day on which a session was created. The day's secret determines the session's server seed. */
export const secretDayOf = ({ date_created }: StoredItem): string => dayAt(Date.parse(date_created));

/** Returns the server seed of a play URL's session in hex. */
export function seedOfSession(session: StoredItem): string {
  const token_hash = session.pk.slice('PLAY#'.length);
  return seedOfOutcome({ ...session, token_hash, secret_day: secretDayOf(session) });
}

/**
 * Returns an outcome's server seed in hex. Derives the seed from the hash of the play URL's token and what the URL
 * promised, or from a free spin's order and index.
 */
export function seedOfOutcome(outcome: StoredItem): string {
  const { organization_id, secret_day, token_hash, user_id, game, cost, order_id, spin_index } = outcome;
  const promised = [
    user_id,
    game,
    cost,
    outcome.prize_table_version,
    outcome.expires_at,
    outcome.debug ?? '',
  ];
  const name = token_hash === undefined ? ['spin', order_id, spin_index] : ['play', token_hash, ...promised];
  return createHmac('sha256', daySecret(organization_id, secret_day)).update(name.join('\n')).digest('hex');
}

/** Returns the fairness data with which a player can verify an outcome's draw. */
export const fairnessOf = (outcome: StoredItem) => ({
  commitment: commitmentOf(seedOfOutcome(outcome)),
  server_seed: seedOfOutcome(outcome),
  client_seed: outcome.client_seed,
  prize_table_version: outcome.prize_table_version,
  prize_id: outcome.prize_id,
  budgets: outcome.budgets,
  debug: outcome.debug,
});
