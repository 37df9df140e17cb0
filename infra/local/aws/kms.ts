import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountId, region } from './arns.ts';
import { awsError, isAwsError } from './error.ts';

/** What stands in for KMS: for `AWS_ENDPOINT_URL_KMS`, and the only key it has. */
export type LocalKms = { url: string; keyArn: string; close: () => Promise<void> };

// Always the same, so that kept data can be read after a restart. It guards nothing but play data.
const masterKey = Buffer.alloc(32, 'incentives local stage');
const keyArn = `arn:aws:kms:${region}:${accountId}:key/local`;

type Input = { KeyId?: string; CiphertextBlob?: string; EncryptionContext?: Record<string, string> };

/** Serves `GenerateDataKey` and `Decrypt` of KMS on a free port of 127.0.0.1. */
export async function startKms(): Promise<LocalKms> {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': randomUUID(),
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keyArn, close };
}

async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const input = JSON.parse(Buffer.concat(chunks).toString()) as Input;
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    if (operation === 'GenerateDataKey') return { status: 200, body: generateDataKey(input) };
    if (operation === 'Decrypt') return { status: 200, body: decrypt(input) };
    throw awsError('UnknownOperationException', `${operation} is not served here`);
  } catch (error) {
    const known = isAwsError(error) ? error : awsError('KMSInternalException', String(error), 500);
    return { status: known.status, body: { __type: known.name, message: known.message } };
  }
}

function generateDataKey({ KeyId, EncryptionContext }: Input) {
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

function requireKey(keyId: string | undefined) {
  if (keyId !== keyArn) throw awsError('NotFoundException', `Key '${keyId}' does not exist`);
}

const contextBytes = (context: Record<string, string> = {}) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
