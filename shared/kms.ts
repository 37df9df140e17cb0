/**
 * KMS, by what the client of DynamoDB has anyway: its credentials, its signatures and its connections. A client of KMS
 * would be a fifth of all that a function loads.
 */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { dynamodb } from './aws.ts';
import { optionalVariable } from './environment.ts';
import { faultOf, pause } from './retry.ts';

const tries = 3;

/**
 * Carries out an operation of KMS with a key, `GenerateDataKey` for one: input and output are those of its JSON
 * protocol, with bytes in base64. Only for operations that may be repeated: there are up to three tries while there is
 * no answer or KMS is too busy. Throws an error by the name that KMS gives it.
 */
export async function callKms<Output>(keyArn: string, operation: string, input: object): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await send(operation, keyArn, { KeyId: keyArn, ...input })) as Output;
    } catch (error) {
      if (attempt === tries || !faultOf(error)) throw error;
      await pause(attempt);
    }
  }
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
    // The service of each signature is said, and not the client's.
    { signingRegion: region, signingService: 'kms' },
  );
  const { response } = await requestHandler.handle(request);
  return outputOf(response.statusCode, await text(response.body as Readable));
}

function endpointOf(region: string, partition: string | undefined): URL {
  const domain = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  const set = optionalVariable('AWS_ENDPOINT_URL_KMS') ?? optionalVariable('AWS_ENDPOINT_URL');
  return new URL(set ?? `https://kms.${region}.${domain}`);
}

function outputOf(status: number, body: string): unknown {
  const said = parsed(body);
  if (status < 300 && said) return said;
  const { __type = '', message, Message } = said ?? {};
  throw Object.assign(new Error(String(message ?? Message ?? `KMS responded with ${status}`)), {
    name: String(__type).split('#').at(-1) || 'UnknownError',
    $metadata: { httpStatusCode: status },
  });
}

/** The object of a JSON text; undefined for any other text. */
function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
