/** A function instance as a process that can be killed. Turns each input line (an event) into a result line. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// Arguments: the bundle, and the timeout in milliseconds.
const [, , file = '', timeout = '0'] = process.argv;
const { handler } = createRequire(import.meta.url)(file);
for await (const line of createInterface({ input: process.stdin })) {
  const end = Date.now() + Number(timeout);
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => end - Date.now() };
  const { statusCode, body } = await handler(JSON.parse(line), context);
  process.stdout.write(`${JSON.stringify({ statusCode, body })}\n`);
}
