import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterEach, describe, expect, test } from 'vitest';
import { type LocalKms, startKms } from '../../../../infra/local/aws/kms.ts';

const running: LocalKms[] = [];
afterEach(() => Promise.all(running.splice(0).map((kms) => kms.close())));

async function start() {
  const kms = await startKms();
  running.push(kms);
  const client = new KMSClient({ endpoint: kms.url, maxAttempts: 1 });
  const generate = (KeyId: string, organization: string) =>
    client.send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: { organization } }),
    );
  const decrypt = (CiphertextBlob: Uint8Array, organization: string) =>
    client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { organization } }));
  return { kms, generate, decrypt };
}

describe('the stand-in for KMS', () => {
  test('decrypts the data keys it made, after a restart too', async () => {
    const first = await start();
    const made = await first.generate(first.kms.keyArn, 'a');
    expect(made.Plaintext).toHaveLength(32);
    const second = await start();
    const { Plaintext, KeyId } = await second.decrypt(made.CiphertextBlob!, 'a');
    expect([Plaintext, KeyId]).toEqual([made.Plaintext, second.kms.keyArn]);
  });

  test('makes another data key each time', async () => {
    const { kms, generate } = await start();
    const [one, other] = [await generate(kms.keyArn, 'a'), await generate(kms.keyArn, 'a')];
    expect(one.Plaintext).not.toEqual(other.Plaintext);
  });

  test('refuses another context, changed bytes and an unknown key', async () => {
    const { kms, generate, decrypt } = await start();
    const { CiphertextBlob } = await generate(kms.keyArn, 'a');
    await expect(decrypt(CiphertextBlob!, 'b')).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    const changed = Uint8Array.from(CiphertextBlob!, (byte, index) => (index === 20 ? byte ^ 1 : byte));
    await expect(decrypt(changed, 'a')).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    await expect(generate(`${kms.keyArn}-not`, 'a')).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});
