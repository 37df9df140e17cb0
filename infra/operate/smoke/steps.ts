import { randomBytes } from 'node:crypto';
import { newId } from '../../../shared/ids.ts';
import { eventually } from '../../common/eventually.ts';
import { closeStandInDay } from '../admin/stand-in-day.ts';
import { expectRefusal, expectSame } from './expectations.ts';
import { smokeUserReference } from './organization.ts';
import { type Answer, expectOk, expectUser, newClient, post, type Run, type Step, send } from './step.ts';

const credited = 20;
const minuteMs = 60_000;

/** Most steps after `users` need the user that `users` creates. */
export const smokeSteps: Step[] = [
  { name: 'credentials', check: checkCredentials },
  { name: 'users', check: checkUsers },
  { name: 'tickets', check: checkTickets },
  { name: 'play', check: checkPlay },
  { name: 'guest spins', check: checkGuestSpins },
  { name: 'queued spins', check: checkQueue },
  { name: 'histories', check: checkHistories },
  { name: 'reports', check: checkReports },
  {
    name: 'webhook',
    skip: ({ callback }) =>
      callback === undefined ? 'needs --callback and the address of a receiver that responds 2xx' : undefined,
    check: checkWebhook,
  },
  { name: 'stage', check: checkStage },
  {
    name: 'stand-in day',
    skip: ({ stage }) => (stage === 'production' ? 'not available in production' : undefined),
    check: checkStandInDay,
  },
];

async function checkCredentials({ address, apiKey, organizationId, client }: Run): Promise<string> {
  const readWith = (credentials: Parameters<typeof newClient>[1]) =>
    newClient(address, credentials).users.find({ external_reference: 'nobody' });
  await expectRefusal('a request without a key', readWith({ organizationId }), 401, 'unauthorized');
  const wrong = `${apiKey.slice(0, -43)}${'A'.repeat(43)}`;
  await expectRefusal('a wrong key', readWith({ organizationId, apiKey: wrong }), 401, 'unauthorized');
  const another = newId('org', Date.now());
  await expectRefusal(
    'another organization',
    readWith({ organizationId: another, apiKey }),
    403,
    'forbidden',
  );
  const nobody = client.users.find({ external_reference: 'nobody' });
  await expectRefusal('a search for nobody', nobody, 404, 'user_not_found');
  return 'the key works; other keys and organizations are refused';
}

async function checkUsers(run: Run): Promise<string> {
  const { client } = run;
  const { user_id } = await client.users.create({ external_reference: smokeUserReference });
  run.userId = user_id;
  const found = await client.users.find({ external_reference: smokeUserReference });
  expectSame('the user that is found', found.user_id, user_id);
  const read = await client.users.get({ user_id });
  expectSame('the reference', read.external_reference, smokeUserReference);
  return 'created, and found by its reference';
}

async function checkTickets(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const credit = { amount: credited, description: 'Smoke test', idempotency_key: 'credit' };
  const [first, second] = await sendTwice(run, `/users/${user_id}/tickets/credit`, credit);
  expectSame('the balance', first.new_ticket_balance, credited);
  expectSame('the replayed response', second, first);
  const { balance } = await run.client.tickets.balance({ user_id });
  expectSame('the balance after the replay', balance, credited);
  return 'credited once for two identical requests';
}

/** Sends a request twice and returns both bodies. Throws unless the second response is a replay. */
async function sendTwice(run: Run, path: string, body: object) {
  const first = await post(run, path, body);
  const second = await post(run, path, body);
  const bodies = [expectOk(first), expectOk(second)] as const;
  expectSame('Idempotent-Replayed', second.headers.get('idempotent-replayed'), 'true');
  return bodies;
}

async function checkPlay(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const { playable } = await run.client.games.checkEligibility({ user_id });
  expectSame('playable', playable, true);
  const { url } = await run.client.games.play({ user_id, lang: 'en' });
  const page = await send(url);
  expectSame('the status of the play page', page.status, 200);
  expectSame('the type of the play page', typeOf(page), 'text/html');
  // No Lambda function handles this path, so API Gateway itself responds, with the error page for players.
  const unknownPath = await send(`${url}/beyond`);
  expectSame('the status of an unknown path below a play URL', unknownPath.status, 404);
  expectSame('the type of that response', typeOf(unknownPath), 'text/html');
  const spin = async () => expectOk(await send(`${url}/spin`, { method: 'POST' })).outcome;
  const outcome = (await spin()) as { user_id?: string; play_type?: string };
  expectSame('the user of the outcome', outcome.user_id, user_id);
  expectSame('the play type of the outcome', outcome.play_type, 'regular');
  expectSame('the outcome of a second spin', await spin(), outcome);
  return 'the page loads; a second spin returns the same outcome';
}

const typeOf = ({ headers }: Answer) => headers.get('content-type')?.split(';')[0];

async function checkGuestSpins(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const body = { num_of_spins: 2, idempotency_key: 'guest' };
  const [first, second] = await sendTwice(run, `/users/guest/${user_id}/game/play`, body);
  expectSame('the number of outcomes', (first.items as unknown[]).length, 2);
  expectSame('the replayed response', second, first);
  return 'two outcomes; a replay returns the same two';
}

async function checkQueue(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const order = { user_id, num_of_spins: 1, idempotency_key: 'queue' };
  const { total_queued_spins } = await run.client.amoe.queue(order);
  expectSame('total_queued_spins', total_queued_spins, 1);
  return 'one spin is queued until midnight; the clean-up cancels it';
}

async function checkHistories(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const outcomes = await collect(run.client.games.history.each({ user_id, limit: 1 }));
  const types = outcomes.map(({ play_type }) => play_type);
  expectSame('the outcomes, newest first', types, ['amoe', 'amoe', 'regular']);
  const transactions = await collect(run.client.tickets.history.each({ user_id, limit: 1 }));
  const sum = transactions.reduce((sum, { amount }) => sum + amount, 0);
  const { balance } = await run.client.tickets.balance({ user_id });
  expectSame('the sum of all transactions', sum, balance);
  return `${outcomes.length} outcomes; ${transactions.length} transactions add up to the balance`;
}

async function checkReports(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const { outcomes } = run.client.reports;
  // Polls, because reports read an index that is eventually consistent.
  const total = await eventually('a report of all outcomes', async () => {
    const { total_count, items } = await outcomes({ user_id });
    return total_count === 3 && items.length === 3 ? total_count : undefined;
  });
  const { total_count } = await run.client.reports.tickets({ page_size: 1 });
  return `${total} outcomes of this user, ${total_count} transactions of all runs`;
}

async function checkWebhook(run: Run): Promise<string> {
  const user_id = expectUser(run);
  const { webhooks, tickets } = run.client;
  const start = new Date(Date.now() - minuteMs).toISOString();
  const { webhook_id } = await webhooks.create({
    callback_url: run.callback!,
    secret_key: randomBytes(24).toString('base64'),
    event: 'balance_updated',
  });
  await tickets.credit({ user_id, amount: 1, idempotency_key: 'webhook' });
  const call = await eventually('the webhook call', async () => {
    const end = new Date(Date.now() + minuteMs).toISOString();
    const calls = await collect(webhooks.history.each({ start, end }));
    return calls.find((one) => one.webhook_id === webhook_id);
  });
  const { response_status: status = 0, error } = call;
  if (status < 200 || status > 299) throw new Error(`the webhook receiver responded ${status || error}`);
  return `delivered; the receiver responded ${status}`;
}

async function checkStage({ stage, address, client, apiKey, organizationId }: Run): Promise<string> {
  const docs = await send(`${address}/docs`);
  const faulty = await send(`${address}/webhooks`, {
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-organization-id': organizationId,
      'incentives-fault': 'unavailable',
    },
  });
  expectSame('the status of a requested fault', faulty.status, stage === 'production' ? 200 : 503);
  if (stage === 'production') {
    expectSame('the status of /docs', docs.status, 404);
    const debug = client.debug.dailyCashLimit({ cash_limit: 0 });
    await expectRefusal('a debug route', debug, 404, 'not_found');
    return 'no documentation, no debug routes and no faults on demand';
  }
  expectSame('the status of /docs', docs.status, 200);
  const { text } = await send(`${address}/docs?page=openapi.json`);
  expectSame('the version of the document', JSON.parse(text).openapi, '3.1.0');
  const { cash_limit } = await client.debug.dailyCashLimit({ cash_limit: 0 });
  expectSame('the cash limit', cash_limit, 0);
  return 'documentation, debug routes and faults on demand are available';
}

/** Closes and verifies a stand-in day, so that a deploy that breaks books is noticed before the next night. */
async function checkStandInDay({ stage, context }: Run): Promise<string> {
  const { day, records, timestamped, verdict, findings } = await closeStandInDay(stage, context);
  if (verdict !== 'good') throw new Error(`the book of ${day} has findings: ${Object.keys(findings)}`);
  const timestamp = timestamped ? 'with' : 'without';
  return `${day} is closed, signed and verified, ${timestamp} a timestamp: ${records} records without a finding`;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
