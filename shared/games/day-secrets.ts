/**
 * The secrets of days. All server seeds of an organization's day in New York follow from one secret, which a key in KMS
 * makes of their names: it is stored nowhere, so whoever reads the table can foresee no draw.
 */
import { variable } from '../environment.ts';
import { callKms } from '../kms.ts';
import { rememberPromises } from '../promises.ts';

const remembered = rememberPromises<Buffer>(1000);

/** The secret of an organization's day, 32 bytes. One call of KMS in the life of a function's instance. */
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
