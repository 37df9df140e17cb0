import { GenerateMacCommand } from '@aws-sdk/client-kms';
import { kms } from '../aws.ts';
import { requiredVariable } from '../environment.ts';
import { promiseCache } from '../promises.ts';

const cachedSecrets = promiseCache<Buffer>(1000);

export function daySecret(organizationId: string, day: string): Promise<Buffer> {
  const name = `${organizationId}\n${day}`;
  return cachedSecrets(name, async () => {
    const { Mac } = await kms().send(
      new GenerateMacCommand({
        KeyId: requiredVariable('DRAW_KEY_ARN'),
        MacAlgorithm: 'HMAC_SHA_256',
        Message: Buffer.from(`draws\n${name}`),
      }),
    );
    return Buffer.from(Mac!);
  });
}
