/** A webhook receiver in its own process, so that measurements exclude its CPU time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Arguments: response time in milliseconds, and percentage of failures.
const [delay = 0, fail = 0] = process.argv.slice(2).map(Number);
const calls = new Map<string, { calls: number; taken: number }>();

const server = createServer((request, response) => {
  const id = String(request.headers['webhook-id']);
  const seen = calls.get(id) ?? { calls: 0, taken: 0 };
  calls.set(id, seen);
  const failing = Math.random() * 100 < fail;
  seen.calls += 1;
  if (!failing) seen.taken += 1;
  request.resume().on('end', () => {
    setTimeout(() => response.writeHead(failing ? 500 : 200).end(), delay);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
// For each input line, prints the numbers of calls and successes of each event.
process.stdin.on('data', () => console.log(JSON.stringify([...calls.values()])));
process.stdin.on('end', () => process.exit(0));
