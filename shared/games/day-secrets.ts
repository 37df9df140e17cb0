import { variable } from '../environment.ts';
import { macBy } from '../kms.ts';
import { cachedPromises } from '../promises.ts';

const cachedSecrets = cachedPromises<Buffer>(1000);

/** Returns the secret of an organization's day (32 bytes). */
export function daySecret(organizationId: string, day: string): Promise<Buffer> {
  const name = `${organizationId}\n${day}`;
  return cachedSecrets(name, () => macBy(variable('DRAW_KEY_ARN'), `draws\n${name}`));
}
