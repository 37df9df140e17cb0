import { expect, test } from 'vitest';
import { userId } from '../examples.ts';
import { type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

const rule = 'no stored item contains an erased user’s texts';

/** Adds an erase command for the example's user, and removes the user's texts from all items. */
function erase(world: Example, { exitCode = 0, printed = {} as unknown } = {}) {
  const args = ['user', 'erase', '--org', 'org', '--user', userId];
  world.journal.operatorCommands.push({ at: world.now, args, exitCode, printed });
  Object.assign(itemAt(world, 'USER'), { erased_at: 'now', external_reference: '', text_key: undefined });
  for (const item of world.items) {
    if (item.idempotency_key) Object.assign(item, { idempotency_key: '', description: '' });
    if (!item.payload) continue;
    const payload = JSON.parse(item.payload);
    for (const text of ['external_reference', 'idempotency_key', 'description'])
      if (payload.data?.[text]) payload.data[text] = '';
    item.payload = JSON.stringify(payload);
  }
  remove(world, 'REF');
}

test('a complete erasure breaks no rule', () => {
  expect(rulesBrokenBy((world) => erase(world))).not.toContain(rule);
});

test('a remaining text is detected anywhere', () => {
  const changes: ((world: Example) => void)[] = [
    (world) => Object.assign(itemAt(world, 'TICKETS#'), { description: 'Hello' }),
    (world) => Object.assign(itemAt(world, 'USER'), { external_reference: 'anna' }),
    (world) => Object.assign(itemAt(world, 'USER'), { text_key: 'secret' }),
    (world) => Object.assign(itemAt(world, 'IDEM#'), { reply: { said: ['first'] } }),
    (world) => world.items.push({ pk: 'CALLS#o#d', sk: 'x', payload: '{"data":{"reference":"anna"}}' }),
    (world) => world.items.push({ pk: 'REF#o#anna', sk: 'REF' }),
  ];
  for (const change of changes) {
    const broken = rulesBrokenBy((world) => {
      erase(world);
      change(world);
    });
    expect(broken).toContain(rule);
  }
});

test('a shard number in a key is not a remaining text', () => {
  const broken = rulesBrokenBy((world) => {
    erase(world);
    const said = world.journal.exchanges.find(({ body }) => body?.description)!;
    said.body.description = '1';
    world.items.push({ pk: 'ORG#org#1', sk: 'SETTINGS' });
  });
  expect(broken).not.toContain(rule);
});

test('a failed erase command is detected, unless it waits for free spins', () => {
  expect(rulesBrokenBy((world) => erase(world, { exitCode: 1, printed: 'Oh' }))).toContain(rule);
  const printed = 'usr has 3 free spins that have not run';
  expect(rulesBrokenBy((world) => erase(world, { exitCode: 1, printed }))).not.toContain(rule);
});
