/** Simulated hosts credit and debit users' tickets and entries. */
import { entryTypes } from '../../../shared/vocabulary.ts';
import type { EndpointName } from '../../support/invoke.ts';
import type { Random } from '../../support/random.ts';
import { type Answer, forkRandom, type Request } from './client.ts';
import { type Host, keep, pickOrUndefined, sendRequest, type User } from './host.ts';
import { amount, description, idempotencyKey } from './random-input.ts';

export async function creditTickets(host: Host, user: User, random: Random): Promise<void> {
  await change(host, user, ticketChange('tickets/credit', user, amount(random), random), random);
}

/** Debits tickets: mostly up to the user's balance, sometimes one ticket more than the balance, or a random amount. */
export async function debitTickets(host: Host, user: User, random: Random): Promise<void> {
  const some = 1 + random.below(Math.max(1, Math.min(user.tickets, 20)));
  const all = Math.max(1, user.tickets);
  const amounts = { some, all, more: user.tickets + 1, amount: amount(random) };
  const kind = random.weighted({ some: 6, all: 1, more: 1, amount: 1 });
  // One request may debit at most 1,000,000,000 tickets, even if the balance is larger.
  const debited = Math.min(amounts[kind], 1_000_000_000);
  await change(host, user, ticketChange('tickets/debit', user, debited, random), random);
}

/** Credits exactly the given number of tickets. */
export const giveTickets = (host: Host, user: User, tickets: number, random: Random) =>
  change(host, user, ticketChange('tickets/credit', user, tickets, random), random);

export async function creditEntries(host: Host, user: User, random: Random): Promise<void> {
  await change(host, user, entryChange('entries/credit', user, random), random);
}

export async function debitEntries(host: Host, user: User, random: Random): Promise<void> {
  await change(host, user, entryChange('entries/debit', user, random), random);
}

/**
 * Sends six requests with the idempotency key of an earlier balance change: the same request and five variants.
 */
export async function reuseKey(host: Host, user: User, random: Random): Promise<void> {
  const earlier = pickOrUndefined(random, user.changes);
  if (!earlier) return creditTickets(host, user, random);
  const { requestNumber: _, ...rest } = earlier;
  const body = earlier.body as { amount: number };
  const opposite = earlier.endpoint.replace(/credit|debit/, (way) => (way === 'credit' ? 'debit' : 'credit'));
  const other = earlier.endpoint.startsWith('tickets') ? 'entries' : 'tickets';
  const uses: Request[] = [
    { ...rest, body: { ...body, amount: body.amount === 1 ? 2 : body.amount - 1 } },
    { ...rest, body: { ...body, description: 'Another reason' } },
    { ...rest, endpoint: opposite as EndpointName },
    { ...rest, body: { ...body, type: random.pick(entryTypes) } },
    rest,
    { ...rest, endpoint: `${other}/credit` },
  ];
  for (const use of uses) await change(host, user, use, random);
}

/** Sends 2 to 10 concurrent changes of one user's balances. One burst in ten has 80 changes. */
export async function burst(host: Host, user: User, random: Random): Promise<void> {
  const many = random.chance(0.1) ? 80 : 2 + random.below(9);
  const kinds = random.pick([[creditTickets, debitTickets, creditEntries, debitEntries], [creditEntries]]);
  const changes = Array.from({ length: many }, () => forkRandom(random));
  await Promise.all(changes.map((stream) => stream.pick(kinds)(host, user, stream)));
}

const pathOf = (user: User) => ({ user_id: user.id });

const ticketChange = (endpoint: EndpointName, user: User, tickets: number, random: Random): Request => ({
  endpoint,
  path: pathOf(user),
  body: { amount: tickets, ...description(random), idempotency_key: idempotencyKey(user, random) },
});

const entryChange = (endpoint: EndpointName, user: User, random: Random): Request => ({
  endpoint,
  path: pathOf(user),
  body: {
    amount: amount(random),
    ...(random.chance(0.3) ? {} : { type: random.pick(entryTypes) }),
    ...description(random),
    idempotency_key: idempotencyKey(user, random),
  },
});

const maxRemembered = 10;

async function change(host: Host, user: User, request: Request, random: Random): Promise<Answer | undefined> {
  keep(user.changes, request, random, maxRemembered);
  const answer = await sendRequest(host, request, random);
  if (answer?.status === 200) user.tickets = answer.body.new_ticket_balance ?? user.tickets;
  // After 20 % of the changes, the host reads the user's ticket balance, ticket history or ticket report.
  if (random.chance(0.2)) {
    const views: Request[] = [
      { endpoint: 'tickets/balance', path: pathOf(user) },
      { endpoint: 'tickets/history', path: pathOf(user) },
      { endpoint: 'reports/tickets', query: pathOf(user) },
    ];
    await sendRequest(host, random.pick(views), random);
  }
  return answer;
}
