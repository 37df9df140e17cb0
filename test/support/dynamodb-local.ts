import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, inject } from 'vitest';

/**
 * Returns the address of DynamoDB Local and a client, for the tests of one file. Other tests use the local
 * stage's table, which is on a simulated DynamoDB by default.
 */
export async function useDynamodbLocal() {
  const answer = await fetch(inject('dynamodbLocal'));
  const endpoint = await answer.text();
  expect(answer.ok, endpoint).toBe(true);
  const access = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
  const client = new DynamoDBClient(access);
  afterAll(() => client.destroy());
  return { access, client };
}
