import { createPublicKey, verify } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterEach, describe, expect, test } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../../infra/develop/local/aws/endpoint.ts';
import { bookKeyArn, callKms, drawKeyArn, keyArn } from '../../../../../infra/develop/local/aws/kms.ts';

const running: AwsEndpoint[] = [];
afterEach(() => Promise.all(running.splice(0).map((endpoint) => endpoint.close())));

async function start() {
  const endpoint = await startAwsEndpoint({ queues: [], invoke: async () => {} });
  running.push(endpoint);
  const client = new KMSClient({ endpoint: endpoint.url, maxAttempts: 1 });
  const generate = (KeyId: string, organization: string) =>
    client.send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: { organization } }),
    );
  const decrypt = (CiphertextBlob: Uint8Array, organization: string) =>
    client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { organization } }));
  const mac = (KeyId: string, message: string) =>
    client.send(
      new GenerateMacCommand({ KeyId, Message: Buffer.from(message), MacAlgorithm: 'HMAC_SHA_256' }),
    );
  return { generate, decrypt, mac };
}

describe('the local KMS', () => {
  test('decrypts its data keys, even after a restart', async () => {
    const first = await start();
    const made = await first.generate(keyArn, 'a');
    expect(made.Plaintext).toHaveLength(32);
    const second = await start();
    const { Plaintext, KeyId } = await second.decrypt(made.CiphertextBlob!, 'a');
    expect([Plaintext, KeyId]).toEqual([made.Plaintext, keyArn]);
  });

  test('creates a different data key each time', async () => {
    const { generate } = await start();
    const [one, other] = [await generate(keyArn, 'a'), await generate(keyArn, 'a')];
    expect(one.Plaintext).not.toEqual(other.Plaintext);
  });

  test('creates the same data key from the same random bytes', () => {
    const make = () => callKms('GenerateDataKey', { KeyId: keyArn }, (length) => Buffer.alloc(length, 7));
    expect(make()).toEqual(make());
  });

  test('returns the same MAC for the same message', async () => {
    const { mac } = await start();
    const { Mac, KeyId } = await mac(drawKeyArn, 'message');
    expect([Mac!.length, KeyId]).toEqual([32, drawKeyArn]);
    const again = await (await start()).mac(drawKeyArn, 'message');
    expect(again.Mac).toEqual(Mac);
    expect((await mac(drawKeyArn, 'other')).Mac).not.toEqual(Mac);
    await expect(mac(keyArn, 'message')).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(mac(drawKeyArn, '')).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('signs a message of up to 4096 bytes deterministically, with a key whose public part it returns', () => {
    const call = (operation: string, input: object) =>
      callKms(operation, { KeyId: bookKeyArn, ...input }) as never;
    const signed = { MessageType: 'RAW', SigningAlgorithm: 'ED25519_SHA_512' };
    const message = Buffer.alloc(4096, 'x');
    const { Signature } = call('Sign', { ...signed, Message: message.toString('base64') });
    const { PublicKey } = call('GetPublicKey', {});
    const key = createPublicKey({ key: Buffer.from(PublicKey, 'base64'), format: 'der', type: 'spki' });
    expect(verify(null, message, key, Buffer.from(Signature, 'base64'))).toBe(true);
    expect(call('Sign', { ...signed, Message: message.toString('base64') })).toMatchObject({ Signature });
    const refused = [
      { ...signed, Message: Buffer.alloc(4097).toString('base64') },
      { ...signed, Message: '' },
      { ...signed, Message: 'eA==', MessageType: 'DIGEST' },
      { ...signed, Message: 'eA==', SigningAlgorithm: 'ECDSA_SHA_256' },
    ];
    for (const input of refused) expect(() => call('Sign', input)).toThrow('is served here');
    expect(() => call('Sign', { ...signed, Message: 'eA==', KeyId: keyArn })).toThrow('does not exist');
  });

  test('refuses another context, changed bytes and an unknown key', async () => {
    const { generate, decrypt } = await start();
    const { CiphertextBlob } = await generate(keyArn, 'a');
    await expect(decrypt(CiphertextBlob!, 'b')).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    const changed = Uint8Array.from(CiphertextBlob!, (byte, index) => (index === 20 ? byte ^ 1 : byte));
    await expect(decrypt(changed, 'a')).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    await expect(generate(`${keyArn}-not`, 'a')).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});
