import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamodb } from '../../shared/aws.ts';
import { put } from '../../shared/table/client.ts';
import { redirect } from '../support/redirect.ts';

/** What the table does with the attempts at a request, one after the other. */
let attempts: ((response: ServerResponse) => void)[];
const hangUp = (response: ServerResponse) => response.destroy();
const throttle = (response: ServerResponse) =>
  response
    .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
    .end('{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException"}');

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => attempts.shift()!(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  redirect(dynamodb(), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const writing = () => put({ pk: 'a', sk: 'a' }).catch((error: Error) => error.name);

test('a write of which an earlier attempt got no answer may have been done, whatever the last one says', async () => {
  attempts = [hangUp, throttle, throttle];
  expect(await writing()).toBe('Unanswered');
});

test('a write of which every attempt was refused was not done', async () => {
  attempts = [throttle, throttle, throttle];
  expect(await writing()).toBe('ThrottlingException');
});
