import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListScheduleGroupsCommand } from '@aws-sdk/client-scheduler';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dynamodb, scheduler, sqs } from '../../shared/aws.ts';
import { putItem, transact } from '../../shared/table/client.ts';
import { redirect } from '../support/redirect.ts';
import { type Served, serve } from '../support/serve.ts';

/** Responses of the fake AWS services to the successive attempts of one request. */
let attempts: ((response: ServerResponse) => void)[];
/** Called with the body of each attempt. */
let sent: (body: { ClientRequestToken?: string }) => void = () => {};
const hangUp = (response: ServerResponse) => response.destroy();
const refuse = (type: string, said: object) => (response: ServerResponse) =>
  response
    .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...said }));
const throttle = refuse('ThrottlingException', {});
const cancel = (Code: string) =>
  refuse('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code }] });

let server: Served;
beforeAll(async () => {
  server = await serve(async (request, response) => {
    sent(JSON.parse((await text(request)) || '{}'));
    attempts.shift()!(response);
  });
  for (const client of [dynamodb(), sqs(), scheduler()]) redirect(client, server.url);
});
afterAll(() => server.close());

const item = { pk: 'ACTIVE', sk: 'a' };
const writing = () => putItem(item).catch((error: Error) => error.name);

test('a write with an unanswered attempt has an unknown outcome if its condition then fails', async () => {
  attempts = [hangUp, throttle, throttle, refuse('ConditionalCheckFailedException', {})];
  expect(await writing()).toBe('Unanswered');
});

test('a write whose attempts were all refused was not executed', async () => {
  attempts = [throttle, throttle, throttle];
  expect(await writing()).toBe('ThrottlingException');
});

describe('a transaction with an unanswered attempt', () => {
  const part = { Put: { Item: item } };
  const transacting = () => transact({ one: part, other: part });

  test('is sent again under its token if a later attempt conflicts', async () => {
    const tokens = new Set();
    const done = (response: ServerResponse) => response.end('{}');
    attempts = [hangUp, cancel('TransactionConflict'), cancel('TransactionConflict'), done];
    sent = (body) => tokens.add(body.ClientRequestToken);
    expect(await transacting()).toBeUndefined();
    expect([attempts.length, tokens.size]).toEqual([0, 1]);
  });

  test('was not executed if its conditions fail', async () => {
    attempts = [hangUp, cancel('ConditionalCheckFailed')];
    expect(await transacting()).toEqual({ other: {} });
  });
});

test('a transaction whose attempts all conflict was not executed', async () => {
  attempts = [cancel('TransactionConflict')];
  const part = { Put: { Item: item } };
  expect(await transact({ one: part, other: part }).catch((error: Error) => error.name)).toBe('Conflict');
});

type Handler = {
  httpHandlerConfigs: () => { requestTimeout: number };
  updateHttpClientConfig: (name: string, value: number) => void;
};

test.each([
  ['DynamoDB', dynamodb, () => dynamodb().send(new ListTablesCommand())],
  ['SQS', sqs, () => sqs().send(new ListQueuesCommand())],
  ['EventBridge Scheduler', scheduler, () => scheduler().send(new ListScheduleGroupsCommand())],
])('a request of %s that gets no response is repeated', async (_, client, list) => {
  const handler = client().config.requestHandler as unknown as Handler;
  const { requestTimeout } = handler.httpHandlerConfigs();
  handler.updateHttpClientConfig('requestTimeout', 200);
  attempts = [() => {}, (response) => response.end('{}')];
  try {
    expect((await list()).$metadata.attempts).toBe(2);
  } finally {
    handler.updateHttpClientConfig('requestTimeout', requestTimeout);
  }
});
