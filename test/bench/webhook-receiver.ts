/** A webhook receiver in its own process, so that measurements exclude its CPU time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2]);
const received = new Set<string>();

const server = createServer((request, response) => {
  received.add(String(request.headers['webhook-id']));
  request.resume().on('end', () => {
    setTimeout(() => response.writeHead(200).end(), delayMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
// For each input line, prints the number of received events.
process.stdin.on('data', () => console.log(received.size));
process.stdin.on('end', () => process.exit(0));
