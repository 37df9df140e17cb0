import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, inject } from 'vitest';

/** DynamoDB Local, with a client of it for the tests of one file; the stage's own database is the stand-in. */
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
