// Prints the memory and CPU time of a report function for 10,000 rows, in a process without other work.
import { createRequire } from 'node:module';

const [, , bundle, organizationId] = process.argv;
const { handler } = createRequire(import.meta.url)(bundle);
const headers = { 'x-organization-id': organizationId, 'accept-encoding': 'gzip' };
const ask = (page_size) =>
  handler(
    {
      headers,
      queryStringParameters: { page_size, page: '1' },
      requestContext: {
        authorizer: { organizationId, tokenSecret: 'a-secret' },
        requestId: 'r',
        requestTimeEpoch: Date.now(),
        domainName: 'd',
        stage: 's',
      },
    },
    {},
  );
const mb = (bytes) => `${Math.round(bytes / 1024 / 1024)} MB`;
await ask('1');
const before = process.memoryUsage().rss;
for (const round of [1, 2, 3]) {
  const cpu = process.cpuUsage();
  const { body, statusCode } = await ask('10000');
  if (statusCode !== 200) throw new Error(`status ${statusCode}: ${body}`);
  const { user, system } = process.cpuUsage(cpu);
  const maxMemory = process.resourceUsage().maxRSS * 1024;
  console.log(
    `10,000 rows, request ${round}: answer ${mb(body.length)} (${body.length} bytes), ` +
      `memory ${mb(before)} before, ${mb(maxMemory)} at most, ${Math.round((user + system) / 1000)} ms of CPU`,
  );
}
