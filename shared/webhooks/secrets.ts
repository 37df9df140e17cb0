/**
 * Webhooks' secrets at rest: each is sealed with AES-256-GCM under a data key of its organization, which itself is
 * kept only as KMS encrypted it. A secret opens only for the organization and webhook that it was sealed for.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { variable } from '../environment.ts';
import { callKms } from '../kms.ts';
import { rememberPromises } from '../promises.ts';

/** Whose secret it is. */
export type Owner = { organization_id: string; webhook_id: string };

// By the organization and the encrypted text, so that no organization's key opens for another out of memory either.
const decrypted = rememberPromises<Buffer>(1000);
const nameOf = (organizationId: string, dataKey: string) => `${organizationId} ${dataKey}`;

/** A data key as KMS gives it, in base64: encrypted, and in plain. */
type DataKey = { CiphertextBlob: string; Plaintext: string };
const contextOf = (organizationId: string) => ({ organization_id: organizationId });

/** A new data key for an organization's secrets, encrypted, as base64. One call to KMS. */
export async function newDataKey(organizationId: string): Promise<string> {
  const EncryptionContext = contextOf(organizationId);
  const made = await callKms<DataKey>(variable('KEY_ARN'), 'GenerateDataKey', {
    KeySpec: 'AES_256',
    EncryptionContext,
  });
  const { CiphertextBlob: dataKey, Plaintext } = made;
  await decrypted(nameOf(organizationId, dataKey), async () => Buffer.from(Plaintext, 'base64'));
  return dataKey;
}

/** Seals a secret under a data key; returns base64 of nonce, ciphertext and tag. */
export async function seal(secret: string, dataKey: string, owner: Owner): Promise<string> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await plainKey(dataKey, owner.organization_id), nonce);
  cipher.setAAD(bytesOf(owner));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

/** Opens what `seal` sealed for the same owner. Throws for anything else. */
export async function open(sealed: string, dataKey: string, owner: Owner): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64');
  const key = await plainKey(dataKey, owner.organization_id);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(bytesOf(owner)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}

const bytesOf = ({ organization_id, webhook_id }: Owner) => Buffer.from(`${organization_id}\n${webhook_id}`);

/** The data key itself; KMS is asked once in the life of a container, and once for all who ask at a time. */
const plainKey = (dataKey: string, organizationId: string): Promise<Buffer> =>
  decrypted(nameOf(organizationId, dataKey), () => decrypt(dataKey, organizationId));

async function decrypt(dataKey: string, organizationId: string): Promise<Buffer> {
  const EncryptionContext = contextOf(organizationId);
  const input = { CiphertextBlob: dataKey, EncryptionContext };
  const { Plaintext } = await callKms<DataKey>(variable('KEY_ARN'), 'Decrypt', input);
  return Buffer.from(Plaintext, 'base64');
}
