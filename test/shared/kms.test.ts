import type { IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { callKms } from '../../shared/kms.ts';
import { serve } from '../support/serve.ts';

type Request = { headers: IncomingHttpHeaders; input: unknown };
let requests: Request[] = [];
let answers: [status: number, body: string][] = [];
const { url, close } = await serve(async (request, response) => {
  requests.push({ headers: request.headers, input: await json(request) });
  const [status, body] = answers.shift()!;
  response.writeHead(status).end(body);
});
const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/mine';

afterAll(close);
beforeEach(() => {
  requests = [];
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', url);
  return () => vi.unstubAllEnvs();
});
const fault = (name: string) => JSON.stringify({ __type: `com.amazonaws.kms#${name}`, message: 'no' });

test('an operation is sent to KMS, signed for KMS in the key’s region', async () => {
  answers = [[200, '{"Mac":"AAEC"}']];
  expect(await callKms(keyArn, 'GenerateMac', { Message: 'bWU=' })).toEqual({ Mac: 'AAEC' });
  expect(requests).toMatchObject([
    {
      input: { KeyId: keyArn, Message: 'bWU=' },
      headers: {
        'x-amz-target': 'TrentService.GenerateMac',
        'content-type': 'application/x-amz-json-1.1',
        authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=\w+\/\d{8}\/eu-west-1\/kms\//),
      },
    },
  ]);
});

test('the request equals that of the SDK’s KMS client', async () => {
  const answer: [number, string] = [200, '{"KeyId":"k","Mac":"AAEC","MacAlgorithm":"HMAC_SHA_256"}'];
  answers = [answer, answer];
  const client = new KMSClient({ region: 'eu-west-1' });
  const Message = Buffer.from('message');
  const asked = { MacAlgorithm: 'HMAC_SHA_256' as const };
  await client.send(new GenerateMacCommand({ KeyId: keyArn, Message, ...asked }));
  await callKms(keyArn, 'GenerateMac', { Message: Message.toString('base64'), ...asked });
  const [theirs, ours] = requests;
  expect(ours!.input).toEqual(theirs!.input);
  for (const header of ['x-amz-target', 'content-type']) {
    expect([header, ours!.headers[header]]).toEqual([header, theirs!.headers[header]]);
  }
  const scopeOf = ({ headers }: Request) => headers.authorization!.split(/[ ,]+/)[1];
  expect(scopeOf(ours!)).toBe(scopeOf(theirs!));
});

describe('a failed request', () => {
  test('throws an error with the name from KMS, and is not retried', async () => {
    answers = [[400, fault('InvalidCiphertextException')]];
    await expect(callKms(keyArn, 'Decrypt', {})).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
      message: 'no',
    });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['too busy', 400, fault('ThrottlingException')],
    ['broken', 500, fault('KMSInternalException')],
    ['no JSON', 502, '<html>'],
  ])('is retried where KMS is %s, three times in all', async (_, status, body) => {
    answers = [
      [status, body],
      [status, body],
      [200, '{"Plaintext":"AA=="}'],
    ];
    expect(await callKms(keyArn, 'Decrypt', {})).toEqual({ Plaintext: 'AA==' });
    answers = Array.from({ length: 4 }, () => [status, body] as [number, string]);
    await expect(callKms(keyArn, 'Decrypt', {})).rejects.toThrow();
    expect(answers).toHaveLength(1);
  });
});

test('the general AWS endpoint is used if there is none for KMS', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL_KMS);
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', undefined);
  answers = [[200, '{"Mac":"AAEC"}']];
  expect(await callKms(keyArn, 'GenerateMac', {})).toEqual({ Mac: 'AAEC' });
});
