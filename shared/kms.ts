/** Calls KMS without the SDK's KMS client, which would be a fifth of a Lambda function's bundle. */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { dynamodb } from './aws.ts';
import { optionalVariable } from './environment.ts';
import { faultOf, pause } from './retry.ts';

const maxAttempts = 3;

/**
 * Calls a KMS operation up to three times, so the operation must be safe to repeat. Bytes in input and output are in
 * base64.
 */
export async function callKms<Output>(keyArn: string, operation: string, input: object): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await send(operation, keyArn, { KeyId: keyArn, ...input })) as Output;
    } catch (error) {
      if (attempt === maxAttempts || !faultOf(error)) throw error;
      await pause(attempt);
    }
  }
}

/** Returns the HMAC-SHA-256 of a text under a KMS key (32 bytes). */
export async function macBy(keyArn: string, text: string): Promise<Buffer> {
  const { Mac } = await callKms<{ Mac: string }>(keyArn, 'GenerateMac', {
    MacAlgorithm: 'HMAC_SHA_256',
    Message: Buffer.from(text).toString('base64'),
  });
  return Buffer.from(Mac, 'base64');
}

async function send(operation: string, keyArn: string, input: object): Promise<unknown> {
  const { signer, requestHandler } = dynamodb().config;
  const [, partition, , region = ''] = keyArn.split(':');
  const url = endpointOf(region, partition);
  const request = await (await signer()).sign(
    {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port && { port: Number(url.port) }),
      path: '/',
      headers: {
        host: url.host,
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `TrentService.${operation}`,
      },
      body: JSON.stringify(input),
    },
    // Overrides the signer's defaults, because the signer comes from the DynamoDB client and would sign for
    // DynamoDB.
    { signingRegion: region, signingService: 'kms' },
  );
  const { response } = await requestHandler.handle(request);
  return outputOf(response.statusCode, await text(response.body as Readable));
}

function endpointOf(region: string, partition: string | undefined): URL {
  const domain = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  const emulator = optionalVariable('AWS_ENDPOINT_URL_KMS') ?? optionalVariable('AWS_ENDPOINT_URL');
  return new URL(emulator ?? `https://kms.${region}.${domain}`);
}

function outputOf(status: number, body: string): unknown {
  const output = parsed(body);
  if (status < 300 && output) return output;
  const { __type = '', message, Message } = output ?? {};
  throw Object.assign(new Error(String(message ?? Message ?? `KMS responded with ${status}`)), {
    name: String(__type).split('#').at(-1) || 'UnknownError',
    $metadata: { httpStatusCode: status },
  });
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
