/**
 * Computes the secret of an organization's day. All server seeds of the day are derived from the secret. KMS
 * computes the secret, which is not stored, so somebody who can only read the table cannot predict a draw.
 */
import { variable } from '../environment.ts';
import { callKms } from '../kms.ts';
import { rememberPromises } from '../promises.ts';

const remembered = rememberPromises<Buffer>(1000);

/**
 * Returns the secret of an organization's day (32 bytes). Caches secrets in memory, so each process calls KMS
 * about once per organization and day.
 */
export function daySecret(organizationId: string, day: string): Promise<Buffer> {
  const name = `${organizationId}\n${day}`;
  return remembered(name, async () => {
    const { Mac } = await callKms<{ Mac: string }>(variable('DRAW_KEY_ARN'), 'GenerateMac', {
      MacAlgorithm: 'HMAC_SHA_256',
      Message: Buffer.from(`draws\n${name}`).toString('base64'),
    });
    return Buffer.from(Mac, 'base64');
  });
}
