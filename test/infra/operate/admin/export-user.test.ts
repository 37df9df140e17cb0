import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportUser } from '../../../../infra/operate/admin/export-user.ts';
import { adjustBalance } from '../../../../shared/actions/adjust-balance.ts';
import { newUrl, spinUrl } from '../../../games/support/plays.ts';
import { type Api, callsOf, newOrganization } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { testContext } from '../../../support/test-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'export-'));
afterAll(() => rmSync(folder, { recursive: true }));

let api: Api;
let anna: string;
beforeAll(async () => {
  api = await newOrganization();
  const receiver = await startReceiver();
  const callback = { callback_url: receiver.url, secret_key: 'secret' };
  const { body: webhook } = await api.post('/webhooks', callback);
  anna = (await api.post('/users', { external_reference: 'anna "17"' })).body.user_id;
  const bob = await api.user(5);
  const gift = { amount: 30, description: 'For Anna’s birthday', idempotency_key: 'birthday-1980' };
  await api.post(`/users/${anna}/tickets/credit`, gift);
  await api.post(`/users/${anna}/entries/credit`, { ...gift, type: 'truck' });
  await spinUrl(await newUrl(api, anna, { game: 'prizewheel' }));
  await api.post(`/users/${anna}/game/queue`, { num_of_spins: 3, idempotency_key: 'queue' });
  for (const userId of [anna, bob]) {
    const adjustment = { organizationId: api.organizationId, userId, account: 'tickets', amount: 2 } as const;
    await adjustBalance(adjustment, { ...testContext(), why: 'said of somebody' });
  }
  const payload = { person: ['anna "17"'] };
  await api.call('POST', `/webhooks/${webhook.webhook_id}/invoke`, { body: payload });
  await api.call('POST', `/webhooks/${webhook.webhook_id}/invoke`, { body: { person: 'somebody else' } });
  await eventually(async () => expect((await callsOf(api)).length).toBeGreaterThanOrEqual(8));
  await receiver.close();
});

const exported = async (userId: string, name = 'user.json') => {
  const file = join(folder, name);
  const { counts } = await exportUser(api.organizationId, userId, file, Date.now());
  const text = readFileSync(file, 'utf8');
  return { counts, text, data: JSON.parse(text), mode: statSync(file).mode & 0o777 };
};

describe('an export of a user', () => {
  test('contains all data of the user, with texts, and no data of others', async () => {
    const { data, counts } = await exported(anna);
    expect(data.user).toMatchObject({ user_id: anna, external_reference: 'anna "17"', queued_spins: 3 });
    expect(data.references).toMatchObject([{ external_reference: 'anna "17"', user_id: anna }]);
    const gift = { description: 'For Anna’s birthday', idempotency_key: 'birthday-1980' };
    expect(data.tickets[0]).toMatchObject({ ...gift, amount: 30 });
    // Prizes can add entries to the export, so the test looks for the credited entries.
    expect(data.entries).toContainEqual(expect.objectContaining({ ...gift, entry_type: 'truck' }));
    expect(data.outcomes).toHaveLength(1);
    expect(data.orders).toMatchObject([{ num_of_spins: 3, idempotency_key: 'queue' }]);
    expect(data.due_spins).toMatchObject([{ remaining: 3 }]);
    expect(data.play_sessions).toMatchObject([
      { user_id: anna, played: { ulid: data.outcomes[0].id.slice(4) } },
    ]);
    expect(data.idempotency_keys).toHaveLength(3);
    expect(data.actions).toMatchObject([{ action: 'balance_adjusted', why: 'said of somebody' }]);
    const types = data.webhook_calls.map(({ event_type }: { event_type: string }) => event_type);
    expect(types).toContain('outcome');
    expect(types.filter((type: string) => type === 'invoke')).toHaveLength(1);
    expect(counts).toMatchObject({ entries: data.entries.length, tickets: data.tickets.length });
    expect(JSON.stringify(data)).not.toContain('somebody else');
    expect(data.not_included).toHaveLength(4);
    for (const part of data.not_included) expect(part).toMatch(/^[A-Z].{50,}\.$/);
  });

  test('is readable only by its owner, and contains no secret', async () => {
    writeFileSync(join(folder, 'existing.json'), 'an earlier export', { mode: 0o644 });
    for (const name of ['new.json', 'existing.json']) expect((await exported(anna, name)).mode).toBe(0o600);
    const { text } = await exported(anna);
    expect(text).not.toMatch(/text_key|"pk"|byTime/);
  });

  test('requires a user of the organization', async () => {
    const { organizationId } = await newOrganization();
    const file = join(folder, 'none.json');
    const now = Date.now();
    await expect(exportUser(organizationId, anna, file, now)).rejects.toThrow('Invalid user ID');
    await expect(exportUser(api.organizationId, '../x', file, now)).rejects.toThrow('Invalid user ID');
  });
});
