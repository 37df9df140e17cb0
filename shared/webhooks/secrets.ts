import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import { kms } from '../aws.ts';
import { requiredVariable } from '../environment.ts';
import { promiseCache } from '../promises.ts';

type SecretOwner = { organization_id: string; webhook_id: string };

// Caches decrypted data keys by organization, so that no organization can use another's key.
const dataKeys = promiseCache<Buffer>(1000);
const nameOf = (organizationId: string, dataKey: string) => `${organizationId} ${dataKey}`;

const contextOf = (organizationId: string) => ({ organization_id: organizationId });

/** Returns a new encrypted data key for an organization's secrets, in base64. */
export async function newDataKey(organizationId: string): Promise<string> {
  const { CiphertextBlob, Plaintext } = await kms().send(
    new GenerateDataKeyCommand({
      KeyId: requiredVariable('KEY_ARN'),
      KeySpec: 'AES_256',
      EncryptionContext: contextOf(organizationId),
    }),
  );
  const dataKey = Buffer.from(CiphertextBlob!).toString('base64');
  await dataKeys(nameOf(organizationId, dataKey), async () => Buffer.from(Plaintext!));
  return dataKey;
}

/** Returns nonce, ciphertext and authentication tag, concatenated and encoded in base64. */
export async function encryptSecret(secret: string, dataKey: string, owner: SecretOwner): Promise<string> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await plainKey(dataKey, owner.organization_id), nonce);
  cipher.setAAD(bytesOf(owner));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

/** Decrypts a secret that `encryptSecret` encrypted for the same owner. Throws for any other input. */
export async function decryptSecret(encrypted: string, dataKey: string, owner: SecretOwner): Promise<string> {
  const bytes = Buffer.from(encrypted, 'base64');
  const key = await plainKey(dataKey, owner.organization_id);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(bytesOf(owner)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}

const bytesOf = ({ organization_id, webhook_id }: SecretOwner) =>
  Buffer.from(`${organization_id}\n${webhook_id}`);

const plainKey = (dataKey: string, organizationId: string): Promise<Buffer> =>
  dataKeys(nameOf(organizationId, dataKey), () => decryptDataKey(dataKey, organizationId));

async function decryptDataKey(dataKey: string, organizationId: string): Promise<Buffer> {
  const { Plaintext } = await kms().send(
    new DecryptCommand({
      KeyId: requiredVariable('KEY_ARN'),
      CiphertextBlob: Buffer.from(dataKey, 'base64'),
      EncryptionContext: contextOf(organizationId),
    }),
  );
  return Buffer.from(Plaintext!);
}
