import { describe, expect, test } from 'vitest';
import { readAttentionItems } from '../../../../infra/operate/admin/attention.ts';
import { changeSettings } from '../../../../shared/actions/change-settings.ts';
import { getItem, putItem } from '../../../../shared/table/client.ts';
import { payoutsKey } from '../../../../shared/table/keys.ts';
import { webhookKey } from '../../../../shared/table/webhook-keys.ts';
import { isoOf } from '../../../../shared/time.ts';
import { newUrl, spinUrl } from '../../../games/support/plays.ts';
import { newOrganization } from '../../../support/api.ts';
import { prizeOf } from '../../../support/prize.ts';
import { putPrizeTable } from '../../../support/put-prize-table.ts';
import { testContext } from '../../../support/test-context.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const of = async (organizationId: string, now: number) =>
  (await readAttentionItems(organizationId, 'local', now)).filter(
    ({ what }) => !what.includes('of the queue'),
  );

describe('an operator in the morning is told', () => {
  test('nothing about a new organization, and then that its book is not closed', async () => {
    const { organizationId } = await newOrganization();
    expect(await of(organizationId, Date.now())).toEqual([]);
    const [late] = await of(organizationId, Date.now() + 2 * dayMs);
    expect(late).toMatchObject({
      what: expect.stringMatching(/^The book of .+ is not closed\.$/),
      next: 'book close',
    });
  });

  test('of webhooks that fail for an hour or are switched off, and of no others', async () => {
    const api = await newOrganization();
    const now = Date.now();
    const fields = { callback_url: 'https://hooks.example.com/a', secret_key: 's' };
    const { body } = await api.post('/webhooks', fields);
    const webhook = (await getItem(webhookKey(api.organizationId, body.webhook_id)))!;
    const withReceiver = async (receiver: object) => {
      await putItem({ ...webhook, receiver: { missed_from: now, ...receiver } });
      return (await of(api.organizationId, now)).map(({ what }) => what);
    };
    expect(await withReceiver({ state: 'failing', failing_since: isoOf(now - hourMs / 2) })).toEqual([]);
    const [failing] = await withReceiver({ state: 'paused', failing_since: isoOf(now - hourMs) });
    expect(failing).toMatch(/^Calls to https:\/\/hooks\.example\.com\/a fail since/);
    const [off] = await withReceiver({ state: 'off', disabled_at: isoOf(now) });
    expect(off).toMatch(/is switched off since .+: the host receives no events\.$/);
  });

  test('of cash ahead of the odds, for a day', async () => {
    const { organizationId } = await newOrganization();
    const now = Date.now();
    await putItem({ ...payoutsKey(organizationId), checked_until: now, ahead_since: isoOf(now - hourMs) });
    expect((await of(organizationId, now)).map(({ what }) => what)).toEqual([
      `Users won far more cash than the odds promise since ${isoOf(now - hourMs)}.`,
    ]);
    expect(JSON.stringify(await of(organizationId, now + dayMs))).not.toContain('far more cash');
  });

  test('of a prize whose deadline has passed, until it is handed over', async () => {
    const api = await newOrganization();
    const { organizationId } = api;
    await changeSettings(organizationId, { tracked_prizes: 'prize_gift_card', claim_days: 3 }, testContext());
    await putPrizeTable(organizationId, 'prizewheel', [prizeOf('prize_gift_card', 1, 1)], testContext());
    const { id } = (await spinUrl(await newUrl(api, await api.user(1)))).body.outcome;
    const prizesAt = async (now: number) =>
      (await of(organizationId, now)).filter(({ what }) => what.includes('deadline'));
    const later = Date.now() + 8 * dayMs;
    expect(await prizesAt(Date.now())).toEqual([]);
    expect(await prizesAt(later)).toMatchObject([{ id, next: expect.stringContaining('prize deliver') }]);
    await api.put(`/prizes/${id}`, { state: 'delivered', reference: 'parcel 1' });
    expect(await prizesAt(later)).toEqual([]);
  });
});
