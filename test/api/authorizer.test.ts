import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '../../functions/authorizer.ts';
import { stages } from '../../shared/stage.ts';
import { tableClient, tableName } from '../../shared/table/client.ts';
import { apiKeyKey } from '../../shared/table/keys.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { sdkError } from '../support/dynamodb-errors.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:abcdef/staging/GET/users/usr_1/tickets/balance';
const ask = (headers: Record<string, string> | null) =>
  handler({ type: 'REQUEST', methodArn, headers } as APIGatewayRequestAuthorizerEvent);

describe('the authorizer', () => {
  test('allows the whole API for a live key, returns its organization, and reads one item', async () => {
    const headers = { Authorization: `Bearer ${api.apiKey}` };
    const { result, calls } = await watchingCalls(tableClient, () => ask(headers));
    expect(result).toEqual({
      principalId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      context: { organizationId: api.organizationId, tokenSecret: expect.stringMatching(/^[\w-]{43}$/) },
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: 'arn:aws:execute-api:us-east-1:123456789012:abcdef/staging/*',
          },
        ],
      },
    });
    expect(calls.map(({ operation }) => operation)).toEqual(['GetItem']);
  });

  test('refuses a malformed key without reading the table', async () => {
    for (const headers of [null, {}, { authorization: 'Bearer x' }, { other: 'Bearer x' }]) {
      const { calls } = await watchingCalls(tableClient, () =>
        expect(ask(headers)).rejects.toThrow(/^Unauthorized$/),
      );
      expect(calls).toEqual([]);
    }
  });

  test.each(stages)('on %s, allows only keys of this stage', async (stage) => {
    vi.stubEnv('STAGE', stage);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const ofStage of stages) {
      const authorization = `Bearer ${api.apiKey.replace('_local_', `_${ofStage}_`)}`;
      const asked = ask({ authorization });
      if (ofStage !== stage) await expect(asked).rejects.toThrow(/^Unauthorized$/);
      else expect((await asked).context?.organizationId).toBe(api.organizationId);
    }
  });

  test('does not report a key as unknown if the lookup failed', async () => {
    const headers = { authorization: `Bearer ${api.apiKey}` };
    const trouble = { instead: sdkError('ThrottlingException') };
    const asked = watchingCalls(
      tableClient,
      () => ask(headers),
      () => trouble,
    );
    await expect(asked).rejects.toThrow('ThrottlingException');
  });
});

test('a key is stored without its secret', async () => {
  const [, , keyId = '', secret = ''] = /^inc_(\w+?)_([0-9A-Z]{26})_(.+)$/.exec(api.apiKey) ?? [];
  expect(secret).toHaveLength(43);
  const { Item } = await tableClient.send(new GetCommand({ TableName: tableName(), Key: apiKeyKey(keyId) }));
  expect(Item).toMatchObject({ key_id: keyId, organization_id: api.organizationId });
  expect(JSON.stringify(Item)).not.toContain(secret);
});
