import { beforeEach, describe, expect, test } from 'vitest';
import { eraseUserTexts } from '../../shared/accounts/erase-texts.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { markUserErased } from '../../shared/actions/erase-user.ts';
import type { Settings } from '../../shared/games/settings.ts';
import { newId } from '../../shared/ids.ts';
import { tableClient } from '../../shared/table/client.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';
import { newUrl, openUrl, spinUrl } from '../games/support/plays.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { type Call, watchingCalls } from '../support/calls.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
  const gift = { ...prizeOf('prize_merchandise', 1, 1), value_usd: 40 };
  await putPrizeTable(api.organizationId, 'prizewheel', [gift], testContext());
});
const track = (changes: Partial<Settings>) => changeSettings(api.organizationId, changes, testContext());
let keys = 0;
/** Returns the ids of prizes that a guest's free spins have just won, newest first. */
async function win(user: string, spins = 1, game = 'prizewheel'): Promise<string[]> {
  const body = { num_of_spins: spins, game, idempotency_key: `win ${++keys}` };
  const { body: won } = await api.post(`/users/guest/${user}/game/play`, body);
  return won.items.map(({ id }: { id: string }) => id).reverse();
}
const put = (id: string, step: object, of = api) => of.put(`/prizes/${id}`, step);
const prizesOf = async (user: string, query = {}) => (await api.get(`/users/${user}/prizes`, query)).body;
const delivered = { state: 'delivered', reference: 'parcel-1' };
const today = dayOf(Date.now());

describe('a won prize', () => {
  test('is found at once: untracked by default, and open with a deadline if its kind is tracked', async () => {
    const user = await api.user();
    const [before] = await win(user);
    await track({ tracked_prizes: 'cash_usd prize_merchandise', claim_days: 30 });
    const [after] = await win(user);
    const common = { prize: { prize_merchandise: 1 }, value_usd: 40 };
    const claim_by = isoOf(startOfDay(addDays(today, 31)) - 1);
    expect((await prizesOf(user)).items).toMatchObject([
      { prize_id: after, ...common, state: 'open', claim_by },
      { prize_id: before, ...common, state: 'untracked', claim_by: null },
    ]);
  });

  test('is found by its id although the index shows it late', async () => {
    const [prize_id = ''] = await win(await api.user());
    const { organizationId } = api;
    const asked = () => invoke('prizes/update', { organizationId, path: { prize_id }, body: delivered });
    let late = 20;
    const lag = ({ index }: Call) => (index && late-- > 0 ? { answer: { Items: [], Count: 0 } } : undefined);
    expect((await watchingCalls(tableClient, asked, lag)).result.status).toBe(200);
  });

  test('has a page that says by when to claim it, and what became of it', async () => {
    await track({ tracked_prizes: 'prize_merchandise', claim_days: 30 });
    const user = await api.user(1);
    const url = await newUrl(api, user);
    const { outcome } = (await spinUrl(url)).body;
    const claim_by = isoOf(startOfDay(addDays(today, 31)) - 1);
    expect(outcome.claim_by).toBe(claim_by);
    expect((await api.get(`/users/${user}/games/history`)).body.items).toMatchObject([{ claim_by }]);
    const page = async () => (await openUrl(url)).body;
    expect(await page()).toMatch(/Claim it by <time datetime="[^"]+" data-local>[A-Z]\w+ \d+ at 11:59/);
    await put(outcome.id, { state: 'held', reason: 'W-9' });
    expect(await page()).toMatch(/on hold until something is settled.*Claim it by/s);
    await put(outcome.id, delivered);
    const delivery = await page();
    expect(delivery).toContain('Handed over on ');
    expect(delivery.match(/<main.*<script/s)![0]).not.toMatch(/Claim it by <time|W-9|parcel/);
  });

  test('is listed in pages, without the prizes that balances show', async () => {
    const user = await api.user();
    const [oldest] = await win(user);
    await putPrizeTable(api.organizationId, 'truck', [prizeOf('tickets', 1, 1)], testContext());
    await win(user, 40, 'truck');
    const newer = await win(user, 2);
    const first = await prizesOf(user, { limit: 2 });
    expect(first.items.map(({ prize_id }: { prize_id: string }) => prize_id)).toEqual(newer);
    const second = await prizesOf(user, { limit: 2, next_token: first.next_token });
    expect(second).toMatchObject({ items: [{ prize_id: oldest }], next_token: '' });
    expect((await prizesOf(user, { limit: 0 })).items).toEqual([]);
  });
});

describe('a step of a prize', () => {
  test('is answered, listed, in the history and told in an event, once however often it is sent', async () => {
    const user = await api.user();
    const [id] = await win(user);
    const held = { state: 'held', reason: 'We need a W-9.' };
    expect((await put(id!, held)).body).toMatchObject({ status: 'success', prize_id: id, ...held });
    const answers = await Promise.all(times(5, () => put(id!, delivered)));
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([200, { ...delivered, delivered_on: today }]);
    expect((await prizesOf(user)).items).toMatchObject([{ prize_id: id, ...delivered }]);
    const { events } = (await api.get('/events', { user_id: user, event_type: 'prize_updated' })).body;
    expect(events.map(({ data }: { data: object }) => data)).toMatchObject([
      { prize_id: id, user_id: user, prize: { prize_merchandise: 1 }, ...held },
      { prize_id: id, ...delivered, delivered_on: today },
    ]);
    const records = await readRange(recordsOfUser(api.organizationId, user, 'claims'), { consistent: true });
    expect(records.map(({ operator }) => operator)).toEqual(
      times(2, () => expect.stringMatching(/^API key /)),
    );
  });

  test.each<[string, object[], number, string]>([
    [
      'a delivery with another reference',
      [delivered, { ...delivered, reference: 'other' }],
      409,
      'claim_conflict',
    ],
    [
      'a forfeit after the delivery',
      [delivered, { state: 'forfeited', reason: 'late' }],
      409,
      'claim_conflict',
    ],
    [
      'a delivery after the forfeit',
      [{ state: 'forfeited', reason: 'late' }, delivered],
      409,
      'claim_conflict',
    ],
    ['opening a delivered prize', [delivered, { state: 'open' }], 409, 'claim_conflict'],
    ['a delivery without a reference', [{ state: 'delivered' }], 422, 'validation_failed'],
    ['a hold without a reason', [{ state: 'held' }], 422, 'validation_failed'],
    ['a delivery tomorrow', [{ ...delivered, delivered_on: addDays(today, 2) }], 422, 'validation_failed'],
    [
      'a delivery before the win',
      [{ ...delivered, delivered_on: addDays(today, -1) }],
      422,
      'validation_failed',
    ],
  ])('%s is refused and changes nothing', async (_, steps, status, code) => {
    const user = await api.user();
    await track({ tracked_prizes: 'prize_merchandise' });
    const [id] = await win(user);
    for (const step of steps.slice(0, -1)) await put(id!, step);
    const before = await prizesOf(user);
    const refused = await put(id!, steps.at(-1)!);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(await prizesOf(user)).toEqual(before);
  });

  test('a prize that a balance shows, an unknown and another organization’s are refused', async () => {
    await putPrizeTable(api.organizationId, 'truck', [prizeOf('tickets', 1, 1)], testContext());
    const user = await api.user();
    const [gift, ticket] = [(await win(user))[0]!, (await win(user, 1, 'truck'))[0]!];
    expect((await put(ticket, delivered)).status).toBe(422);
    const other = await newOrganization();
    const old = newId('out', Date.now() - 120_000);
    for (const id of [old, newId('usr', 0), 'drw_1:1', '1'])
      expect((await put(id, delivered)).body).toMatchObject({ message: 'Invalid prize ID' });
    const request = { organizationId: other.organizationId, path: { prize_id: gift }, body: delivered };
    const { status } = await invoke('prizes/update', { ...request, now: Date.now() + 120_000 });
    expect(status).toBe(404);
  });

  test('of an erased user is not found, and its texts are erased', async () => {
    const user = await api.user();
    const [id] = await win(user);
    await put(id!, { state: 'held', reason: 'Anna has moved' });
    await put(id!, { ...delivered, reason: 'to Anna' });
    await markUserErased(api.organizationId, user, testContext());
    await eraseUserTexts(api.organizationId, user);
    expect((await put(id!, delivered)).status).toBe(404);
    const records = await readRange(recordsOfUser(api.organizationId, user, 'claims'), { consistent: true });
    expect(JSON.stringify(records)).not.toMatch(/Anna|parcel/);
    expect(records.map(({ state }) => state)).toEqual(['held', 'delivered']);
    const { organizationId } = api;
    const query = { event_type: 'prize_updated' };
    const feed = await invoke('events/list', { organizationId, query, now: Date.now() + 120_000 });
    const shown = feed.body.events.filter(({ data }: { data: { user_id: string } }) => data.user_id === user);
    expect(shown).toHaveLength(2);
    expect(JSON.stringify(shown)).not.toContain('reason');
  });
});
