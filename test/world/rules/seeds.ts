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
