/** What is tried of a stage, in this order. */
import { randomBytes } from 'node:crypto';
import { newId } from '../../../shared/ids.ts';
import { eventually, expectRefusal, expectSame } from './expectations.ts';
import { reference } from './organization.ts';
import { type Answer, clientOf, fetched, posted, type Run, type Step, successOf, userOf } from './step.ts';

const credited = 20;
const minuteMs = 60_000;

/** The steps of a run. Those after `users` need the user that it makes. */
export const steps: Step[] = [
  { name: 'credentials', try: tryCredentials },
  { name: 'users', try: tryUsers },
  { name: 'tickets', try: tryTickets },
  { name: 'refusals', try: tryRefusals },
  { name: 'play', try: tryPlay },
  { name: 'guest spins', try: tryGuestSpins },
  { name: 'queued spins', try: tryQueue },
  { name: 'histories', try: tryHistories },
  { name: 'reports', try: tryReports },
  {
    name: 'webhook',
    skip: ({ callback }) =>
      callback === undefined
        ? 'say where it may be told, with --callback and an address that answers 2xx'
        : undefined,
    try: tryWebhook,
  },
  { name: 'stage', try: tryStage },
];

async function tryCredentials({ address, apiKey, organizationId, client }: Run): Promise<string> {
  const ask = (credentials: Parameters<typeof clientOf>[1]) =>
    clientOf(address, credentials).users.find({ external_reference: 'nobody' });
  await expectRefusal('a request without a key', ask({ organizationId }), 401, 'unauthorized');
  const wrong = `${apiKey.slice(0, -43)}${'A'.repeat(43)}`;
  await expectRefusal('a wrong key', ask({ organizationId, apiKey: wrong }), 401, 'unauthorized');
  const another = newId('org', Date.now());
  await expectRefusal('another organization', ask({ organizationId: another, apiKey }), 403, 'forbidden');
  const nobody = client.users.find({ external_reference: 'nobody' });
  await expectRefusal('a search for nobody', nobody, 404, 'user_not_found');
  return 'the key is known, and others are refused';
}

async function tryUsers(run: Run): Promise<string> {
  const { client } = run;
  const { user_id } = await client.users.create({ external_reference: reference });
  run.userId = user_id;
  const found = await client.users.find({ external_reference: reference });
  expectSame('the user that is found', found.user_id, user_id);
  const read = await client.users.get({ user_id });
  expectSame('the reference', read.external_reference, reference);
  return 'made, and found by its reference';
}

async function tryTickets(run: Run): Promise<string> {
  const user_id = userOf(run);
  const credit = { amount: credited, description: 'Smoke test', idempotency_key: 'credit' };
  const [first, second] = await twice(run, `/users/${user_id}/tickets/credit`, credit);
  expectSame('the balance', first.new_ticket_balance, credited);
  expectSame('the repeated answer', second, first);
  const { balance } = await run.client.tickets.balance({ user_id });
  expectSame('the balance after a repetition', balance, credited);
  return 'credited once, though it was sent twice';
}

/** Sends the same request twice, of which the second has to say that it is a repetition. Returns both bodies. */
async function twice(run: Run, path: string, body: object) {
  const first = await posted(run, path, body);
  const second = await posted(run, path, body);
  const bodies = [successOf(first), successOf(second)] as const;
  expectSame('Idempotent-Replayed', second.headers.get('idempotent-replayed'), 'true');
  return bodies;
}

async function tryRefusals(run: Run): Promise<string> {
  const { client, address } = run;
  const user_id = userOf(run);
  const { credit, debit } = client.tickets;
  const tooMuch = debit({ user_id, amount: credited + 1, idempotency_key: 'too-much' });
  await expectRefusal('a debit below zero', tooMuch, 400, 'insufficient_tickets');
  const other = credit({ user_id, amount: credited + 1, idempotency_key: 'credit' });
  await expectRefusal('a key that was used', other, 422, 'idempotency_key_reused');
  const without = credit({ user_id, amount: 1, idempotency_key: '' });
  await expectRefusal('an empty idempotency key', without, 422, 'validation_failed');
  const stranger = client.users.get({ user_id: newId('usr', Date.now()) });
  await expectRefusal('an unknown user', stranger, 404, 'user_not_found');
  expectSame('the status of an unknown path', (await fetched(`${address}/nowhere`)).status, 404);
  return 'what is wrong is refused, each with its code';
}

async function tryPlay(run: Run): Promise<string> {
  const user_id = userOf(run);
  const { playable } = await run.client.games.checkEligibility({ user_id });
  expectSame('playable', playable, true);
  const { url } = await run.client.games.play({ user_id, lang: 'en' });
  const page = await fetched(url);
  expectSame('the status of the play page', page.status, 200);
  expectSame('its type', typeOf(page), 'text/html');
  // What no function answers comes from the gateway, in the form that it has for players.
  const beyond = await fetched(`${url}/beyond`);
  expectSame('the status of what no play URL has', beyond.status, 404);
  expectSame('the type of what the gateway refuses at play URLs', typeOf(beyond), 'text/html');
  const spin = async () => successOf(await fetched(`${url}/spin`, { method: 'POST' })).outcome;
  const outcome = (await spin()) as { user_id?: string; play_type?: string };
  expectSame('whose outcome it is', outcome.user_id, user_id);
  expectSame('its type', outcome.play_type, 'regular');
  expectSame('the outcome of a second spin', await spin(), outcome);
  return 'a page, and one outcome for two spins';
}

const typeOf = ({ headers }: Answer) => headers.get('content-type')?.split(';')[0];

async function tryGuestSpins(run: Run): Promise<string> {
  const user_id = userOf(run);
  const body = { num_of_spins: 2, idempotency_key: 'guest' };
  const [first, second] = await twice(run, `/users/guest/${user_id}/game/play`, body);
  expectSame('the number of outcomes', (first.items as unknown[]).length, 2);
  expectSame('the repeated answer', second, first);
  return 'two outcomes, and the same again';
}

async function tryQueue(run: Run): Promise<string> {
  const user_id = userOf(run);
  const order = { user_id, num_of_spins: 1, idempotency_key: 'queue' };
  const { total_queued_spins } = await run.client.amoe.queue(order);
  expectSame('total_queued_spins', total_queued_spins, 1);
  return 'one spin waits for midnight, and is cancelled below';
}

async function tryHistories(run: Run): Promise<string> {
  const user_id = userOf(run);
  const outcomes = await listed(run.client.games.history.each({ user_id, limit: 1 }));
  const types = outcomes.map(({ play_type }) => play_type);
  expectSame('the outcomes, newest first', types, ['amoe', 'amoe', 'regular']);
  const transactions = await listed(run.client.tickets.history.each({ user_id, limit: 1 }));
  const sum = transactions.reduce((sum, { amount }) => sum + amount, 0);
  const { balance } = await run.client.tickets.balance({ user_id });
  expectSame('the sum of all transactions', sum, balance);
  return `${outcomes.length} outcomes, and ${transactions.length} transactions that add up`;
}

async function tryReports(run: Run): Promise<string> {
  const user_id = userOf(run);
  const { outcomes } = run.client.reports;
  // The index that reports read shows a record a moment after it was written.
  const total = await eventually('a report of all outcomes', async () => {
    const { total_count, items } = await outcomes({ user_id });
    return total_count === 3 && items.length === 3 ? total_count : undefined;
  });
  const { total_count } = await run.client.reports.tickets({ page_size: 1 });
  return `${total} outcomes of the user, ${total_count} transactions of all runs`;
}

async function tryWebhook(run: Run): Promise<string> {
  const user_id = userOf(run);
  const { webhooks, tickets } = run.client;
  const start = new Date(Date.now() - minuteMs).toISOString();
  const { webhook_id } = await webhooks.create({
    callback_url: run.callback!,
    secret_key: randomBytes(24).toString('base64'),
    event: 'balance_updated',
  });
  await tickets.credit({ user_id, amount: 1, idempotency_key: 'webhook' });
  const call = await eventually('the call of the webhook', async () => {
    const end = new Date(Date.now() + minuteMs).toISOString();
    const calls = await listed(webhooks.history.each({ start, end }));
    return calls.find((one) => one.webhook_id === webhook_id);
  });
  const { response_status: status = 0, error } = call;
  if (status < 200 || status > 299)
    throw new Error(`the receiver of the webhook answered ${status || error}`);
  return `told, and answered with ${status}`;
}

async function tryStage({ stage, address, client }: Run): Promise<string> {
  const docs = await fetched(`${address}/docs`);
  if (stage === 'production') {
    expectSame('the status of /docs', docs.status, 404);
    const debug = client.debug.dailyCashLimit({ cash_limit: 0 });
    await expectRefusal('a debug route', debug, 404, 'not_found');
    return 'no documentation and no debug routes';
  }
  expectSame('the status of /docs', docs.status, 200);
  const { text } = await fetched(`${address}/docs?page=openapi.json`);
  expectSame('the version of the document', JSON.parse(text).openapi, '3.1.0');
  const { cash_limit } = await client.debug.dailyCashLimit({ cash_limit: 0 });
  expectSame('the cash limit', cash_limit, 0);
  return 'documentation and debug routes are there';
}

/** All items of a list, page by page. */
async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
