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
const hmacKeys: Record<string, Buffer> = {
  [drawKeyArn]: Buffer.alloc(32, 'incentives local draws'),
};

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
  MacAlgorithm?: string;
  Message?: string;
  MessageType?: string;
  SigningAlgorithm?: string;
};

/** Throws an `AwsError` for an unknown operation or invalid input. */
export function callKms(
  operation: string,
  input: unknown,
  randomBytes: (length: number) => Buffer = nodeRandomBytes,
): object {
  if (operation === 'GenerateDataKey') return generateDataKey(input as Input, randomBytes);
  if (operation === 'Decrypt') return decrypt(input as Input);
  if (operation === 'GenerateMac') return generateMac(input as Input);
  if (operation === 'Sign') return signed(input as Input);
  if (operation === 'GetPublicKey') return publicKey(input as Input);
  throw awsError('UnknownOperationException', `${operation} is not served here`);
}

function generateDataKey({ KeyId, EncryptionContext }: Input, randomBytes: (length: number) => Buffer) {
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
    return {
      KeyId: keyArn,
      Plaintext: plaintext.toString('base64'),
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  } catch {
    throw awsError('InvalidCiphertextException', '');
  }
}

const maxMessageBytes = 4096;

function generateMac({ KeyId = '', MacAlgorithm, Message = '' }: Input) {
  const key = hmacKeys[KeyId];
  if (!key) throw unknownKey(KeyId);
  const message = Buffer.from(Message, 'base64');
  if (MacAlgorithm !== 'HMAC_SHA_256' || message.length < 1 || message.length > maxMessageBytes)
    throw awsError('ValidationException', 'HMAC_SHA_256 of 1 to 4096 bytes is served here');
  const Mac = createHmac('sha256', key).update(message).digest('base64');
  return { KeyId, Mac, MacAlgorithm };
}

const signingAlgorithm = 'ED25519_SHA_512';

function signed({ KeyId, Message = '', MessageType, SigningAlgorithm }: Input) {
  requireKey(KeyId, bookKeyArn);
  const message = Buffer.from(Message, 'base64');
  const isServed = MessageType === 'RAW' && SigningAlgorithm === signingAlgorithm;
  if (!isServed || message.length < 1 || message.length > maxMessageBytes)
    throw awsError('ValidationException', `${signingAlgorithm} of 1 to 4096 RAW bytes is served here`);
  const Signature = sign(null, message, signingKey).toString('base64');
  return { KeyId: bookKeyArn, Signature, SigningAlgorithm };
}

function publicKey({ KeyId }: Input) {
  requireKey(KeyId, bookKeyArn);
  const PublicKey = createPublicKey(signingKey).export({ format: 'der', type: 'spki' }).toString('base64');
  return { KeyId: bookKeyArn, PublicKey, KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' };
}

function requireKey(keyId: string | undefined, arn = keyArn) {
  if (keyId !== arn) throw unknownKey(keyId);
}

const unknownKey = (keyId: string | undefined) =>
  awsError('NotFoundException', `Key '${keyId}' does not exist`);

const contextBytes = (context: Record<string, string> = {}) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
