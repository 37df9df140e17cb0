/** A webhook receiver in its own process, so that measurements exclude its CPU time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2]);
let received = 0;

const server = createServer((request, response) => {
  received++;
  request.resume().on('end', () => {
    setTimeout(() => response.writeHead(200).end(), delayMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
// For each input line, prints the number of received calls.
process.stdin.on('data', () => console.log(received));
process.stdin.on('end', () => process.exit(0));
