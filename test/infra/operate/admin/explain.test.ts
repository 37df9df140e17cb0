import { describe, expect, test } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { announce, forfeitPlace } from '../../../../infra/operate/admin/drawings.ts';
import { changeSettings } from '../../../../shared/actions/change-settings.ts';
import { faultRefusals, type Refusal, refusals } from '../../../../shared/refusals.ts';
import { actionsByTime } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { addDays, dayOf } from '../../../../shared/time.ts';
import { holds, restrictions } from '../../../../shared/vocabulary.ts';
import { eventsOf } from '../../../../shared/webhooks/events.ts';
import { newUrl, spinUrl } from '../../../games/support/plays.ts';
import { newOrganization } from '../../../support/api.ts';
import { prizeOf } from '../../../support/prize.ts';
import { putPrizeTable } from '../../../support/put-prize-table.ts';
import { testContext } from '../../../support/test-context.ts';

async function explain(...args: string[]) {
  let text = '';
  const add = (more: string) => {
    text += more;
  };
  const code = await runCommand(['explain', ...args, '--stage', 'local'], { out: add, error: add });
  return { code, text };
}

const make = { ...faultRefusals, ...refusals } as Record<string, (...given: never[]) => Refusal>;
const codes = Object.entries(make)
  .filter(([name]) => name !== 'onHold' && name !== 'restricted')
  .map(([, refusal]) => refusal('truck' as never).code);

describe('each reason for which a host or player is refused', () => {
  test.each([...new Set([...codes, ...holds, ...restrictions])].map((code) => [code]))(
    'is explained with what to do: %s',
    async (code) => {
      const { text } = await explain(code);
      expect(text).toMatch(/^Now: .+\.$/m);
      expect(text).toMatch(/^Next: .+\.$/m);
    },
  );
});

test('a user’s orders, outcomes, transactions and refusals are explained without naming the organization', async () => {
  const api = await newOrganization();
  const user = await api.user(0);
  const credit = { amount: 7, description: 'A gift', idempotency_key: 'a' };
  const { body: credited } = await api.post(`/users/${user}/tickets/credit`, credit);
  await api.post(`/users/${user}/game/queue`, { num_of_spins: 2, idempotency_key: 'b' });
  const { text } = await explain(user, '--org', api.organizationId);
  expect(text).toMatch(/The host credited 7 tickets, “A gift”/);
  expect(text).toMatch(/^Why: flight: The user has fewer tickets than the game costs\.$/m);
  const [, order = ''] = /^Why: (ord_\w+) has 2 free spins: The spins run at midnight/m.exec(text) ?? [];
  const { body: played } = await spinUrl(await newUrl(api, user));
  const of = `organization ${api.organizationId}`;
  for (const id of [order, played.outcome.id, credited.transaction_id]) {
    const found = await explain(id);
    expect(found.code).toBe(0);
    expect(found.text).toContain(of);
    expect(found.text).toContain(user);
  }
});

test('webhooks, keys, play URLs, days and organizations are explained, and no secret is printed', async () => {
  const api = await newOrganization();
  const fields = { callback_url: 'https://hooks.example.com/a', secret_key: 'a secret of the host' };
  const { body: webhook } = await api.post('/webhooks', fields);
  const url = await newUrl(api, await api.user(5));
  const token = url.split('/').at(-1)!;
  const today = new Date().toISOString().slice(0, 10);
  const texts: [string, RegExp][] = [
    [webhook.webhook_id, /^Now: It is not paused:/m],
    [api.apiKey, /^Now: Requests with it are accepted\./m],
    [url, /^Now: It can be played until/m],
    [api.organizationId, /^Now: It works\./m],
    [today, /^Now: It has no book\./m],
    ['0b5c6f0e-3c5f-4f3a-9a54-0d8a7f3a2c11', /^Now: Requests are not stored\./m],
  ];
  for (const [id, said] of texts) {
    const { text } = await explain(id, '--org', api.organizationId);
    expect(text).toMatch(said);
    for (const secret of [token, api.apiKey, fields.secret_key]) expect(text).not.toContain(secret);
  }
});

test('a prize is explained with its deadline and steps, and a drawing with its winners and what is next', async () => {
  const api = await newOrganization();
  const org = api.organizationId;
  await changeSettings(org, { tracked_prizes: 'prize_gift_card', claim_days: 9 }, testContext());
  await putPrizeTable(org, 'prizewheel', [prizeOf('prize_gift_card', 1, 1)], testContext());
  const user = await api.user(5);
  const { id } = (await spinUrl(await newUrl(api, user))).body.outcome;
  expect((await explain(id)).text).toMatch(/^Now: The prize: It is owed, and must be claimed by 20/m);
  expect((await explain(id)).text).toMatch(/^Next: .+ prize deliver --prize out_/m);
  const step = { state: 'delivered', reference: 'parcel 7' };
  expect(await api.put(`/prizes/${id}`, step)).toMatchObject({ status: 200 });
  expect((await explain(id)).text).toMatch(/parcel 7.*\nNow: The prize: It is delivered\./);

  for (const one of [user, await api.user(5)])
    await api.post(`/users/${one}/entries/credit`, { amount: 3, idempotency_key: 'a' });
  const typed = { type: 'truck', prize: 'A truck', 'value-usd': '45000', 'claim-days': '30' };
  const drawn = await announce(org, typed, { isTest: true }, testContext());
  const { text: won } = await explain(drawn.drawing_id);
  expect(won).toMatch(/It closed, and used up 6 entries of 2 users: its list\.\n.+ was drawn for place 1\./);
  expect(won).toMatch(/^Now: Place 1, usr_\w+ \(.+\): It is owed, and must be claimed by/m);
  const place = { drawing: drawn.drawing_id, place: '1' };
  await forfeitPlace(org, place, false, { ...testContext(), why: 'late' });
  const next = `${drawn.drawing_id}:1:2`;
  const [win] = await readRange(actionsByTime(org), { where: { action: 'drawing_won' } });
  const [event] = eventsOf(win as never);
  expect((await explain(event!.id)).text).toMatch(/ is an event about a drawing[\s\S]* drawing won\./);
  const times = (await explain(`${drawn.drawing_id}:1`)).text.match(/(?<=^ {2})20\S+(?= )/gm)!;
  expect(times).toEqual(times.toSorted());
  await api.put(`/prizes/${next}`, { state: 'held', reason: 'a form is missing' });
  const { text: held } = await explain(next);
  expect(held).toContain(`${next} is the prize of place 1 in a test drawing of 1 × “A truck”`);
  expect(held).toMatch(
    /to held: “a form is missing”\.\nNow: Place 1, .+ held back.+\nWhy: Round \d+ .+\nNext: /,
  );
  expect(held).toMatch(new RegExp(`^Next: .+ prize deliver --prize ${next} `, 'm'));
  const now = Date.now();
  const announced = { ...typed, closes: addDays(dayOf(now), 1), draws: `${addDays(dayOf(now), 3)}T20:00` };
  const { drawing_id } = await announce(org, announced, {}, testContext());
  const { text } = await explain(`${drawing_id}:1`);
  expect(text).toMatch(/is a drawing of 1 × “A truck”, worth 45000 USD each, among all truck entries/);
  expect(text).toMatch(/^Now: It is announced: entries count until the end of/m);
  expect(text).toMatch(/^Next: .+ drawing call-off --drawing drw_/m);
});

test('what does not exist is said to be unknown, and nonsense says what can be asked', async () => {
  expect(await explain('usr_01HZZZZZZZZZZZZZZZZZZZZZZZ')).toMatchObject({ code: 1 });
  const { code, text } = await explain('why?');
  expect(code).toBe(2);
  expect(text).toContain('Give the id of an organization, user, order');
});
