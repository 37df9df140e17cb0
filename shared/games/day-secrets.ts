import { GenerateMacCommand } from '@aws-sdk/client-kms';
import { kms } from '../aws.ts';
import { variable } from '../environment.ts';
import { cachedPromises } from '../promises.ts';

const cachedSecrets = cachedPromises<Buffer>(1000);

export function daySecret(organizationId: string, day: string): Promise<Buffer> {
  const name = `${organizationId}\n${day}`;
  return cachedSecrets(name, async () => {
    const { Mac } = await kms().send(
      new GenerateMacCommand({
        KeyId: variable('DRAW_KEY_ARN'),
        MacAlgorithm: 'HMAC_SHA_256',
        Message: Buffer.from(`draws\n${name}`),
      }),
    );
    return Buffer.from(Mac!);
  });
}
