import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, inject } from 'vitest';

/** Returns DynamoDB Local's address and a client. By default, other tests use a simulated DynamoDB. */
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
