import { afterEach, expect, test, vi } from 'vitest';
import { getItem, type Item, tableClient } from '../../../../shared/table/client.ts';
import type { Key } from '../../../../shared/table/keys.ts';
import { admin } from '../../../support/admin.ts';
import { newOrganization } from '../../../support/api.ts';
import { brokenConnection } from '../../../support/dynamodb-errors.ts';
import { changes, sceneIn } from './support/changes.ts';

// Makes the stage's workers wait: a sweep would draw a drawing's winners before the command does.
vi.stubEnv('DEAD_LETTER_URL_DRAWINGS', 'none');

const name = 'losing answers';
afterEach(() => void tableClient.middlewareStack.remove(name));

/** Runs every command that changes data. With `isLossy`, each write succeeds, and its first response is lost. */
async function runAll(isLossy: boolean) {
  const api = await newOrganization();
  const user = await api.user(20);
  await api.post(`/users/${user}/game/queue`, { num_of_spins: 10, idempotency_key: 'queue' });
  const scene = await sceneIn(api, user, user);
  const keys = new Map<string, Key>();
  let writes = 0;
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (/Get|Query/.test(String(commandName))) return next(args);
        for (const key of keysIn(args.input)) keys.set(JSON.stringify(key), key);
        const answer = await next(args);
        if (isLossy && writes++ % 2 === 0) throw brokenConnection();
        return answer;
      },
    { step: 'initialize', name },
  );
  const results: Record<string, unknown> = {};
  const states: Record<string, unknown> = {};
  for (const [command, example] of Object.entries(changes)) {
    keys.clear();
    writes = 0;
    const { code, json, error } = await admin(...command.split(' '), ...example(scene), '--why', 'a reason');
    // A stand-in day has random draws.
    results[command] =
      command === 'book rehearse' ? [code, json?.verdict, error] : masked([code, json, error]);
    if (command === 'game limits') scene.scheduled = json.scheduled[0].change;
    // Deliveries change calls and webhooks, while the commands run.
    const own = [...keys.values()].filter(
      ({ pk, sk }) => !pk.startsWith('CALLS#') && !sk.startsWith('WEBHOOK#'),
    );
    const state = await Promise.all(own.map((key) => getItem(key)));
    states[command] = command === 'book rehearse' ? [] : state.map(masked).sort();
  }
  tableClient.middlewareStack.remove(name);
  return { results, states };
}

// biome-ignore lint/suspicious/noExplicitAny: the inputs of all writes
function keysIn(input: any): Key[] {
  const parts: Record<string, { Item?: Item; Key?: Item }>[] =
    input.TransactItems ?? Object.values(input.RequestItems ?? {}).flat();
  const written = parts.length > 0 ? parts.flatMap((part) => Object.values(part)) : [input];
  return written.map(({ Item: item, Key: key }) => {
    const { pk, sk } = (item ?? key) as Key;
    return { pk, sk };
  });
}

/** Returns an item as text without ids, times, shards, hashes and secrets, which differ in each run. */
const masked = (item: unknown): string =>
  JSON.stringify(item, (_, value) =>
    value instanceof Uint8Array || (value?.type === 'Buffer' && value.data) ? 'bytes' : value,
  )
    ?.replace(/\d{4}-\d\d-\d\d(T[\d:.]+(Z|-\d\d:\d\d))?/g, 'TIME')
    .replace(/"round":\d+/g, 'ROUND')
    .replace(/"calls":\d+/g, 'CALLS')
    .replace(/"ms_since_last":\d+/g, 'MS')
    .replace(/#\d+"/g, '#SHARD"')
    .replace(/\d{10,}(\.\d+)?/g, 'NUMBER')
    .replace(/[\w+/=-]{20,}/g, 'TEXT') ?? 'none';

test('each command has one effect and its usual result if the response to each of its writes is lost', async () => {
  const usual = await runAll(false);
  const lossy = await runAll(true);
  expect(lossy.results).toEqual(usual.results);
  expect(lossy.states).toEqual(usual.states);
}, 300_000);
