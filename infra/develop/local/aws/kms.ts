import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  randomBytes as nodeRandomBytes,
  sign,
} from 'node:crypto';
import { accountId, region } from './arns.ts';
import { awsError } from './error.ts';

// The keys are constant, so that stored data stays readable after a restart. They protect only test data.
const masterKey = Buffer.alloc(32, 'incentives local stage');

export const keyArn = `arn:aws:kms:${region}:${accountId}:key/local`;
export const drawKeyArn = `arn:aws:kms:${region}:${accountId}:key/local-draws`;
const drawKey = Buffer.alloc(32, 'incentives local draws');

export const bookKeyArn = `arn:aws:kms:${region}:${accountId}:key/local-books`;
// The DER encoding of an Ed25519 private key is this prefix, followed by a 32-byte seed.
const signingKey = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.alloc(32, 'incentives local books'),
  ]),
  format: 'der',
  type: 'pkcs8',
});

type Input = {
  KeyId?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Record<string, string>;
  Message?: string;
};
type RandomBytes = (length: number) => Buffer;

/** Throws an `AwsError` for an unknown operation, an unknown key or a ciphertext of another key or context. */
export function callKms(operation: string, input: unknown, randomBytes: RandomBytes = nodeRandomBytes) {
  const answer = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!answer) throw awsError('UnknownOperationException', `${operation} is not served here`);
  return answer(input as Input, randomBytes);
}

const operations: Record<string, (input: Input, randomBytes: RandomBytes) => object> = {
  GenerateDataKey: generateDataKey,
  Decrypt: decrypt,
  GenerateMac: generateMac,
  Sign: signed,
  GetPublicKey: publicKey,
};

function generateDataKey({ KeyId, EncryptionContext }: Input, randomBytes: RandomBytes) {
  requireKey(KeyId);
  const plaintext = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', masterKey, iv).setAAD(contextBytes(EncryptionContext));
  const sealed = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return {
    KeyId: keyArn,
    Plaintext: plaintext.toString('base64'),
    CiphertextBlob: sealed.toString('base64'),
  };
}

function decrypt({ KeyId, CiphertextBlob = '', EncryptionContext }: Input) {
  if (KeyId !== undefined) requireKey(KeyId);
  const sealed = Buffer.from(CiphertextBlob, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', masterKey, sealed.subarray(0, 12));
    decipher.setAAD(contextBytes(EncryptionContext)).setAuthTag(sealed.subarray(-16));
    const plaintext = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    return { KeyId: keyArn, Plaintext: plaintext.toString('base64') };
  } catch {
    throw awsError('InvalidCiphertextException', '');
  }
}

function generateMac({ KeyId, Message = '' }: Input) {
  requireKey(KeyId, drawKeyArn);
  const Mac = createHmac('sha256', drawKey).update(Message, 'base64').digest('base64');
  return { KeyId, Mac };
}

function signed({ KeyId, Message = '' }: Input) {
  requireKey(KeyId, bookKeyArn);
  const Signature = sign(null, Buffer.from(Message, 'base64'), signingKey).toString('base64');
  return { KeyId, Signature };
}

function publicKey({ KeyId }: Input) {
  requireKey(KeyId, bookKeyArn);
  const PublicKey = createPublicKey(signingKey).export({ format: 'der', type: 'spki' }).toString('base64');
  return { KeyId, PublicKey };
}

function requireKey(keyId: string | undefined, arn = keyArn) {
  if (keyId !== arn) throw awsError('NotFoundException', `Key '${keyId}' does not exist`);
}

const contextBytes = (context: Record<string, string> = {}) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
