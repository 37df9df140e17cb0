/** Server seeds, as whoever may use the key of draws can make them. */
import { createHmac } from 'node:crypto';
import { callKms, drawKeyArn } from '../../../infra/local/aws/kms.ts';
import type { StoredItem } from '../journal.ts';
import { dayAt } from './true-time.ts';

/** The secret of an organization's day. */
function daySecret(organizationId: string, day: string): Buffer {
  const Message = Buffer.from(['draws', organizationId, day].join('\n')).toString('base64');
  const input = { KeyId: drawKeyArn, MacAlgorithm: 'HMAC_SHA_256', Message };
  return Buffer.from((callKms('GenerateMac', input) as { Mac: string }).Mac, 'base64');
}

/** The day on which a session was made, whose secret its server seed follows from. */
export const secretDayOf = ({ date_created }: StoredItem): string => dayAt(Date.parse(date_created));

/** The server seed of a session; one that an earlier version of the service made holds its own. */
export function seedOfSession(session: StoredItem): string {
  if (session.server_seed !== undefined) return session.server_seed;
  const secret = daySecret(session.organization_id, secretDayOf(session));
  const token = session.pk.slice('PLAY#'.length);
  return createHmac('sha256', secret).update(`play\n${token}`).digest('hex');
}

/** Whether a free spin is of an order; spins of orders that hold their seed may be of an earlier version. */
export const isSpinOf = (order: StoredItem, { order_id, server_seed }: StoredItem): boolean =>
  order_id === undefined ? server_seed === order.server_seed : order_id === order.order_id;

/** The server seed of a spin of an order, with the secret of the day that the spin says. */
export function seedOfSpin(order: StoredItem, { secret_day, spin_index }: StoredItem): string {
  if (order.server_seed !== undefined) return order.server_seed;
  const secret = daySecret(order.organization_id, secret_day);
  return createHmac('sha256', secret).update(`spin\n${order.order_id}\n${spin_index}`).digest('hex');
}
