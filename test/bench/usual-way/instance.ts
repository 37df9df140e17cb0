/**
 * Runs a function instance as its own process, which can be killed. Arguments: path of the bundle, and
 * timeout in milliseconds. Reads one event per input line. Prints each result as one line.
 */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [, , file = '', timeout = '0'] = process.argv;
const { handler } = createRequire(import.meta.url)(file);
for await (const line of createInterface({ input: process.stdin })) {
  const end = Date.now() + Number(timeout);
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => end - Date.now() };
  const { statusCode, body } = await handler(JSON.parse(line), context);
  process.stdout.write(`${JSON.stringify({ statusCode, body })}\n`);
}
