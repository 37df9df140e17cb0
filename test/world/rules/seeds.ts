/** Server seeds, as whoever may use the key of draws can make them. */
import { createHash, createHmac } from 'node:crypto';
import { callKms, drawKeyArn } from '../../../infra/develop/local/aws/kms.ts';
import type { StoredItem } from '../journal.ts';
import { servedRound } from '../relays.ts';
import { commitmentOf, sha256 } from './texts.ts';
import { dayAt } from './true-time.ts';

/** The secret of an organization's day. */
export function daySecret(organizationId: string, day: string): Buffer {
  const Message = Buffer.from(['draws', organizationId, day].join('\n')).toString('base64');
  const input = { KeyId: drawKeyArn, MacAlgorithm: 'HMAC_SHA_256', Message };
  return Buffer.from((callKms('GenerateMac', input) as { Mac: string }).Mac, 'base64');
}

/** The day on which a session was made, whose secret its server seed follows from. */
export const secretDayOf = ({ date_created }: StoredItem): string => dayAt(Date.parse(date_created));

/** The server seed of a session. */
export function seedOfSession(session: StoredItem): string {
  const secret = daySecret(session.organization_id, secretDayOf(session));
  const token = session.pk.slice('PLAY#'.length);
  return createHmac('sha256', secret).update(`play\n${token}`).digest('hex');
}

/** The server seed of an outcome, as it follows from what the outcome says. */
export function seedOfOutcome(outcome: StoredItem): string {
  const { organization_id, secret_day, token_hash, user_id, order_sequence, spin_index } = outcome;
  const spin = ['spin', user_id, order_sequence, spin_index].join('\n');
  const name = token_hash === undefined ? spin : `play\n${token_hash}`;
  return createHmac('sha256', daySecret(organization_id, secret_day)).update(name).digest('hex');
}

/** Returns the fairness data of an outcome, by which its draw can be verified. */
export const fairnessOf = (outcome: StoredItem) => ({
  commitment: commitmentOf(seedOfOutcome(outcome)),
  server_seed: seedOfOutcome(outcome),
  client_seed: outcome.client_seed,
  prize_table_version: outcome.prize_table_version,
  prize_id: outcome.prize_id,
  budgets: outcome.budgets,
  debug: outcome.debug,
});

/**
 * The client seed of an order's spins: of the hash before the order, and of the randomness of a round, if one
 * is named.
 */
export function clientSeedOf(lastHash: string, round?: number): string {
  const signature = round === undefined ? undefined : servedRound(round).signature;
  const randomness = signature ? createHash('sha256').update(signature, 'hex').digest('hex') : '';
  return sha256(`${lastHash}\n${randomness}`);
}
