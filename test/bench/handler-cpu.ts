import type { Context } from 'aws-lambda';
import { sha256 } from '../../shared/ids.ts';
import { tableClient } from '../../shared/table/client.ts';
import { packItem } from '../../shared/table/codec.ts';
import { userKey } from '../../shared/table/keys.ts';
import { type EndpointName, eventOf } from '../support/invoke.ts';
import { median, type Row, scaled } from './row.ts';
import { useTable } from './table.ts';

const user_id = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';
const user = {
  ...userKey('org_bench', user_id),
  organization_id: 'org_bench',
  user_id,
  external_reference: 'reference',
  date_created: '2026-01-01T00:00:00.000Z',
  balances: { tickets: 100, truck: 0, flight: 0 },
  version: 7,
  sequence: 6,
  last_ulid: '01HZZZZZZZZZZZZZZZZZZZZZZZ',
  last_hash: sha256('the last record'),
  text_key: sha256('a secret'),
};

/** Returns one request's CPU time in milliseconds, over all threads, with a stubbed AWS SDK. */
async function cpuOf(size: number, name: EndpointName, body?: object): Promise<number> {
  await useTable();
  const [folder, file] = name.split('/');
  const { handler } = await import(`../../functions/${folder}/${file}.ts`);
  const Item = packItem(user);
  tableClient.middlewareStack.add(
    (_, context) => async () => {
      const output = context.commandName === 'GetItemCommand' ? { Item } : {};
      return { output: { $metadata: {}, ...output }, response: {} } as never;
    },
    { step: 'initialize', priority: 'low', name },
  );
  let count = 0;
  const run = async (requests: number) => {
    const before = process.cpuUsage();
    for (let i = 0; i < requests; i++) {
      const withKey = body && { ...body, idempotency_key: `key-${count++}` };
      const event = eventOf(name, { organizationId: 'org_bench', path: { user_id }, body: withKey });
      const { statusCode } = await handler(event, {} as Context);
      if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
    }
    const { user: inUser, system } = process.cpuUsage(before);
    return (inUser + system) / 1000 / requests;
  };
  try {
    // V8 has optimized the handler after some thousand requests, as in a function that serves traffic.
    await run(scaled(4000, size));
    const samples: number[] = [];
    for (let i = 0; i < scaled(9, size); i++) samples.push(await run(scaled(300, size)));
    return median(samples);
  } finally {
    tableClient.middlewareStack.remove(name);
  }
}

const row = (name: string, endpoint: EndpointName, body?: object): Row => ({
  name,
  what: `CPU of ${endpoint} for a request, SDK stubbed`,
  floor: '0 ms',
  unit: ' ms',
  target: { atMost: 0.12 },
  measure: async (size) => {
    const value = await cpuOf(size, endpoint, body);
    return { value, detail: `${Math.round(1000 / value)} requests per second of CPU` };
  },
});

export const rows: Row[] = [
  row('credit-cpu', 'tickets/credit', { amount: 1, description: 'A present' }),
  row('balance-cpu', 'tickets/balance'),
];
