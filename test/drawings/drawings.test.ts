import { createHash } from 'node:crypto';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signRound } from '../../infra/develop/local/beacon.ts';
import { showDrawing } from '../../infra/operate/admin/drawings.ts';
import { callOffDrawing } from '../../shared/actions/announce-drawing.ts';
import { moveShardEntries } from '../../shared/actions/close-drawing.ts';
import { drawWinners } from '../../shared/actions/draw-winners.ts';
import { markUserErased } from '../../shared/actions/erase-user.ts';
import { freezeUser } from '../../shared/actions/freeze.ts';
import { type ClaimStepRequest, recordClaimStep } from '../../shared/actions/step-prize.ts';
import { sqs } from '../../shared/aws.ts';
import { openDrawingsIn } from '../../shared/drawings/drawings.ts';
import { drawUsers, summarizeEntrants } from '../../shared/drawings/list.ts';
import { readDrawingViews } from '../../shared/drawings/view.ts';
import { claimOf, readLastSteps, readPrizesOfUser } from '../../shared/prizes/claims.ts';
import { findDueClaims } from '../../shared/prizes/due-claims.ts';
import { drawnPrizesIn } from '../../shared/prizes/won-prize.ts';
import { allShards, shardOf } from '../../shared/shards.ts';
import { getItem, tableClient } from '../../shared/table/client.ts';
import { organizationKey } from '../../shared/table/keys.ts';
import { whileQueriesTake } from '../support/calls.ts';
import { useOwnTable } from '../support/own-table.ts';
import { allRecords } from '../support/records.ts';
import { beaconAt, honest, type Relay, startRelay } from '../support/relay.ts';
import { hour, minute, newSweepstakes, type Sweepstakes } from './support.ts';

await useOwnTable('drawings');

let relay: Relay;
const queues = mockClient(sqs());
afterAll(() => queues.restore());

beforeAll(async () => {
  relay = await startRelay(honest);
  vi.stubEnv('BEACON', JSON.stringify(beaconAt(relay)));
  vi.stubEnv('TIMESTAMP_AUTHORITIES', '[]');
  // A sweep of this test does what the queue's worker would do.
  queues.onAnyCommand().resolves({});
});
afterAll(() => relay.close());

let here: Sweepstakes;
beforeEach(async () => {
  here = await newSweepstakes();
});
const at = (now: number, why?: string) => ({ operator: 'ana', now, why });

describe('a closing', () => {
  test('uses up the entries of midnight, or what is left of them, of each user once', async () => {
    const [plain, credited, debited, frozen, erased, none] = [
      await here.holder(5),
      await here.holder(7),
      await here.holder(9),
      await here.holder(11),
      await here.holder(13),
      await here.holder(0),
    ];
    const drawing = await here.announce();
    await freezeUser(here.org, frozen, at(here.midnight - hour));
    await here.change(credited, 100, here.midnight);
    await here.change(debited, 6, here.midnight + 1, 'debit');
    await here.change(none, 50, here.midnight + 2);
    await markUserErased(here.org, erased, at(here.midnight + 3));
    expect(await here.sweep(here.midnight + minute)).toBe(0);
    await here.sweep(here.midnight + 5 * minute);
    const expected = { [plain]: 5, [credited]: 7, [debited]: 3, [frozen]: 11 };
    expect(await here.entrants(drawing)).toEqual(expected);
    expect(await Promise.all([plain, credited, debited, frozen, erased, none].map(here.balance))).toEqual([
      0, 100, 0, 0, 13, 50,
    ]);
    const { state, list } = await here.drawing(drawing);
    expect({ state, list }).toMatchObject({ state: 'closed', list: { entrants: 4, total_entries: '26' } });
    const open = openDrawingsIn(await getItem(organizationKey(here.org)));
    expect(open).toMatchObject([{ state: 'closed', prize: { en: 'A truck' }, root: list!.root }]);
    const records = await allRecords(here.org, credited);
    expect(records.filter((record) => record.kind === 'entries').at(-1)).toMatchObject({
      amount: -7,
      balance_after: 100,
      drawing_id: drawing.terms.drawing_id,
    });
  });

  test('that stops after any user, or runs twice at once, debits each user once', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, (_, i) => here.holder(i + 1)));
    const drawing = await here.announce();
    const now = here.midnight + 5 * minute;
    for (let left = 0; left < 4; left++) {
      let changes = left;
      const clock = { now: () => now, timeIsUp: () => changes-- <= 0 };
      for (const shard of allShards) await moveShardEntries(drawing, shard, clock);
    }
    await Promise.all([here.sweep(now), here.sweep(now)]);
    expect(await here.entrants(drawing)).toEqual(Object.fromEntries(users.map((user, i) => [user, i + 1])));
    expect((await here.drawing(drawing)).list).toMatchObject({ entrants: 12, total_entries: '78' });
    expect(await Promise.all(users.map(here.balance))).toEqual(users.map(() => 0));
  });

  test('of a later drawing of the type waits for the earlier one', async () => {
    const user = await here.holder(5);
    const first = await here.announce();
    const { closes } = first.terms;
    await expect(here.announce()).rejects.toThrow(
      `closes on ${closes}; another drawing of truck entries must close later`,
    );
    const day = new Date(Date.parse(closes) + 24 * hour).toISOString().slice(0, 10);
    const second = await here.announce({
      closes: day,
      draws_at: new Date(here.midnight + 90 * hour).toISOString(),
    });
    await here.change(user, 3, here.midnight + hour);
    await here.sweep(here.midnight + 30 * hour);
    expect((await here.drawing(second)).state).toBe('announced');
    await here.sweep(here.midnight + 30 * hour);
    expect([await here.entrants(first), await here.entrants(second)]).toEqual([{ [user]: 5 }, { [user]: 3 }]);
    const { largest } = await showDrawing(here.org, second.terms.drawing_id);
    expect(largest).toMatchObject([{ left_over: 3, credited_by_host: 0 }]);
  });

  test('that is not done before the round may be known can only be called off, which gives the entries back', async () => {
    const [one, other] = [await here.holder(5), await here.holder(6)];
    const drawing = await here.announce();
    const now = here.drawsAt;
    await expect(here.sweep(now)).rejects.toThrow('must be called off');
    expect([await here.balance(one), await here.balance(other)]).toEqual([0, 0]);
    await callOffDrawing(drawing, at(now, 'an outage'));
    await here.sweep(now + minute);
    expect(await here.balance(one)).toBe(0);
    await here.sweep(now + 10 * minute);
    expect([await here.balance(one), await here.balance(other)]).toEqual([5, 6]);
    expect(await here.sweep(now + hour)).toBe(0);
    expect(await here.drawing(drawing)).toMatchObject({ state: 'called_off', called_off: 'an outage' });
  });

  test('of a test drawing that stopped and is called off gives the entries back', async () => {
    const user = await here.holder(5);
    const now = here.midnight - 8 * hour;
    const drawing = await here.announce({ is_test: true }, now);
    await moveShardEntries(drawing, shardOf(user), { now: () => now, timeIsUp: () => false });
    await callOffDrawing(drawing, at(now, 'a mistake'));
    await here.sweep(now + 10 * minute);
    expect(await here.balance(user)).toBe(5);
    const { terms } = await here.announce();
    await here.sweep(here.midnight + 5 * minute);
    const { largest } = await showDrawing(here.org, terms.drawing_id);
    expect(largest).toMatchObject([{ left_over: 0, credited_by_host: 5 }]);
  });

  test('and a draw are recorded at their time, however long reading the list took', async () => {
    await here.holder(5);
    const drawing = await here.announce();
    // A step reads the list before it writes anything.
    for (const now of [here.midnight, here.drawsAt])
      await whileQueriesTake(2 * minute, tableClient, () => here.sweep(now + 5 * minute));
    const { list, drawn } = await here.drawing(drawing);
    expect(Date.parse(list!.closed_at)).toBeGreaterThanOrEqual(here.midnight + 7 * minute);
    expect(Date.parse(drawn[0]!.won_at)).toBeGreaterThanOrEqual(here.drawsAt + 7 * minute);
  });
});

describe('a draw', () => {
  async function closed(entries: number[], winners = 1) {
    const users = [];
    for (const each of entries) users.push(await here.holder(each));
    const drawing = await here.announce({ winners });
    await here.sweep(here.midnight + 5 * minute);
    return { users, drawing, id: drawing.terms.drawing_id };
  }
  const order = async (id: string, signature: string) => {
    const randomness = createHash('sha256').update(signature, 'hex').digest();
    const [drawing] = await here.all();
    const list = Object.entries(await here.entrants(drawing!)).map(([user_id, entries]) => ({
      user_id,
      entries,
    }));
    return [...drawUsers(list, id, randomness)].map(({ user_id }) => user_id);
  };

  test('takes the winners by the announced round, not before it', async () => {
    const { drawing, id } = await closed([1, 20, 3, 40, 5], 2);
    await here.sweep(here.drawsAt - 10_000);
    expect((await here.drawing(drawing)).drawn).toEqual([]);
    await here.sweep(here.drawsAt + 10_000);
    const { state, drawn } = await here.drawing(drawing);
    const expected = (await order(id, signRound(drawing.terms.round))).slice(0, 2);
    expect([state, ...drawn.map(({ user_id }) => user_id)]).toEqual(['drawn', ...expected]);
    expect(await here.sweep(here.drawsAt + hour)).toBe(0);
  });

  test('tells a command the winners, also if a worker has drawn in between', async () => {
    const { drawing } = await closed([4, 5]);
    const before = await here.drawing(drawing);
    await here.sweep(here.drawsAt + minute);
    const told = await drawWinners(before, signRound(drawing.terms.round), at(here.drawsAt + 2 * minute));
    expect(told).toMatchObject({ state: 'drawn', drawn: [{ place: 1 }] });
  });

  test('passes over an erased user, and gives the place of a forfeited prize to the next until nobody is left', async () => {
    const { drawing, id } = await closed([4, 4, 4]);
    const all = await order(id, signRound(drawing.terms.round));
    await markUserErased(here.org, all[0]!, at(here.drawsAt - hour));
    await here.sweep(here.drawsAt + minute);
    for (const number of [2, 3]) {
      // Twice at once, and again after a lost answer.
      await Promise.all([forfeit(`${id}:1:${number}`), forfeit(`${id}:1:${number}`)]);
      await here.sweep(here.drawsAt + 3 * hour);
      await forfeit(`${id}:1:${number}`);
    }
    const { state, drawn } = await here.drawing(drawing);
    expect([state, ...drawn.map(({ user_id, forfeited }) => [user_id, forfeited])]).toEqual([
      'drawn',
      [all[0], 'erased'],
      [all[1], 'by the host'],
      [all[2], 'by the host'],
    ]);
  });

  const step = (prizeId: string, asked: ClaimStepRequest['step'], more: Partial<ClaimStepRequest> = {}) =>
    recordClaimStep({
      organizationId: here.org,
      prizeId,
      step: asked,
      operator: 'ana',
      now: here.drawsAt + 2 * hour,
      ...more,
    });
  const forfeit = (prizeId: string, more: Partial<ClaimStepRequest> = {}) =>
    step(prizeId, { state: 'forfeited', reason: 'not claimed' }, more);

  test('makes each prize a claim, which is listed at once, shown with its state, and due a week ahead', async () => {
    const { drawing, id } = await closed([4, 5, 6, 7], 3);
    await here.sweep(here.drawsAt + minute);
    const prizes = drawnPrizesIn(await here.drawing(drawing));
    expect(prizes.map(({ prize_id }) => prize_id)).toEqual([`${id}:1`, `${id}:2`, `${id}:3`]);
    await step(`${id}:2`, { state: 'held', reason: 'W-9' });
    await step(`${id}:3`, { state: 'delivered', reference: 'key 1' });
    await expect(forfeit(`${id}:3`)).rejects.toThrow('prize is already delivered');
    await expect(step(`${id}:4`, { state: 'open' })).rejects.toThrow('Invalid prize ID');
    const [view] = await readDrawingViews([await here.drawing(drawing)]);
    expect(view!.winners.map(({ claim_state }) => claim_state)).toEqual(['open', 'held', 'delivered']);
    const { items } = await readPrizesOfUser(here.org, prizes[1]!.user_id, { limit: 10 });
    const { prize, value_usd } = drawing.terms;
    const { claim_by } = view!.winners[1]!;
    expect(items).toMatchObject([
      { prize_id: `${id}:2`, prize, value_usd, claim_by, state: 'held', reason: 'W-9' },
    ]);
    const weekBefore = Date.parse(prizes[0]!.won_at) + 23 * 24 * hour;
    const organization = (await getItem(organizationKey(here.org)))!;
    expect(await findDueClaims(organization, weekBefore, weekBefore + hour)).toEqual([`${id}:1`, `${id}:2`]);
    expect(await findDueClaims(organization, weekBefore - hour, weekBefore)).toEqual([]);
  });

  test('lets an operator take a delivered prize back by a correction, and then not undo it', async () => {
    const { drawing, id } = await closed([4, 5]);
    await here.sweep(here.drawsAt + minute);
    await step(`${id}:1`, { state: 'delivered', reference: 'key 1' });
    const { user_id } = drawnPrizesIn(await here.drawing(drawing))[0]!;
    await forfeit(`${id}:1`, { byOperator: true, isCorrection: true });
    const corrected = { byOperator: true as const, isCorrection: true };
    await expect(step(`${id}:1`, { state: 'open' }, corrected)).rejects.toThrow('already forfeited');
    await here.sweep(here.drawsAt + 3 * hour);
    expect((await readPrizesOfUser(here.org, user_id, { limit: 10 })).items).toMatchObject([
      { prize_id: `${id}:1`, state: 'forfeited', reason: 'not claimed' },
    ]);
    const { drawn } = await here.drawing(drawing);
    expect(drawn).toMatchObject([{ user_id }, { place: 1 }]);
    await markUserErased(here.org, drawn[1]!.user_id, at(here.drawsAt + 4 * hour));
    await expect(forfeit(`${id}:1:2`)).rejects.toThrow('Invalid prize ID');
    expect(await forfeit(`${id}:1:2`, { byOperator: true })).toMatchObject({ state: 'forfeited' });
  });

  test('forfeits the held prize of an erased user, who is shown without a reference, but not a delivered one', async () => {
    const { drawing, id } = await closed([4, 5], 2);
    await here.sweep(here.drawsAt + minute);
    await step(`${id}:1`, { state: 'held', reason: 'W-9' });
    await step(`${id}:2`, { state: 'delivered', reference: 'key 1' });
    for (const { user_id } of drawnPrizesIn(await here.drawing(drawing)))
      await markUserErased(here.org, user_id, at(here.drawsAt + 3 * hour));
    const [view] = await readDrawingViews([await here.drawing(drawing)]);
    expect(view!.winners.map(({ external_reference }) => external_reference)).toEqual(['', '']);
    for (const _ of [1, 2]) await forfeit(`${id}:1`, { byOperator: true });
    await expect(forfeit(`${id}:2`, { byOperator: true })).rejects.toThrow('already delivered');
    const [held] = drawnPrizesIn(await here.drawing(drawing));
    const last = (await readLastSteps(here.org, held!.user_id)).get(held!.prize_id);
    expect([last!.state, claimOf(held!, last).state]).toEqual(['held', 'forfeited']);
  });

  test('waits for relays that lack the round, and never takes another round or list', async () => {
    const { drawing } = await closed([4, 5]);
    relay.behave((_, response) => response.writeHead(404).end());
    await here.sweep(here.drawsAt + minute, { totalMs: 0, answerMs: 3000, pauseMs: 0 });
    expect(await here.drawing(drawing)).toMatchObject({ state: 'closed', drawn: [] });
    relay.behave(honest);
    const other = signRound(drawing.terms.round + 1);
    await expect(drawWinners(await here.drawing(drawing), other, at(here.drawsAt + minute))).rejects.toThrow(
      'signature',
    );
  });
});

describe('the list', () => {
  const user = (number: number) => `usr_${String(number).padStart(26, '0')}`;

  test('is exact beyond 2^53', () => {
    const list = [1, 2, 3].map((number) => ({ user_id: user(number), entries: Number.MAX_SAFE_INTEGER }));
    expect(summarizeEntrants(list).total_entries).toBe(String(3n * BigInt(Number.MAX_SAFE_INTEGER)));
    const firsts = Array.from(
      { length: 300 },
      (_, i) => drawUsers(list, `drw_${i}`, Buffer.alloc(32)).next().value!,
    );
    const counts = list.map(({ user_id }) => firsts.filter((one) => one.user_id === user_id).length);
    for (const count of counts) expect(count).toBeGreaterThan(60);
  });

  test('is drawn by weight, and each user once', () => {
    const list = [1, 2, 3, 4].map((number) => ({ user_id: user(number), entries: number }));
    const runs = Array.from({ length: 4000 }, (_, i) => [
      ...drawUsers(list, `drw_${i}`, Buffer.alloc(32, 7)),
    ]);
    for (const run of runs) expect(new Set(run.map(({ user_id }) => user_id)).size).toBe(4);
    const share = (at: number, entries: number) =>
      runs.filter((run) => run[at]!.entries === entries).length / runs.length;
    expect(share(0, 4)).toBeCloseTo(0.4, 1);
    expect(share(0, 1)).toBeCloseTo(0.1, 1);
    // By hand: 1/10 · 4/9 + 2/10 · 4/8 + 3/10 · 4/7.
    expect(share(1, 4)).toBeCloseTo(0.316, 1);
  });
});
