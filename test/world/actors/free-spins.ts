/**
 * Simulated hosts request free spins for users. Queued spins wait until midnight; guests' spins run during the request.
 */
import type { EndpointName } from '../../support/invoke.ts';
import type { Random } from '../../support/random.ts';
import { dayMs, dayOf, midnightBefore } from './action-times.ts';
import { type Host, keepOutcome, sendRequest, type User } from './host.ts';
import { instant } from './lists.ts';
import { idempotencyKey } from './random-input.ts';

/** Queues free spins for the next midnight. */
export async function queueSpins(host: Host, user: User, random: Random): Promise<void> {
  await askForSpins(host, user, 'amoe/queue', random);
}

/** Queues free spins through the deprecated endpoint `amoe/guest-queue`. */
export async function queueGuestSpins(host: Host, user: User, random: Random): Promise<void> {
  await askForSpins(host, user, 'amoe/guest-queue', random);
}

/** Runs a guest's free spins during the request. */
export async function playGuestSpins(host: Host, user: User, random: Random): Promise<void> {
  await askForSpins(host, user, 'amoe/guest-play', random);
}

/** Starts the run of all queued spins of the host, before their due day. */
export async function runSpinsNow(host: Host, random: Random): Promise<void> {
  await sendRequest(host, { endpoint: 'debug/spin-run', body: {} }, random);
}

// Numbers of spins. One transaction contains at most 30 spins, so 31 and 61 spins need several transactions.
const numbers = [1, 1, 1, 2, 3, 5, 10, 29, 30, 31, 61];

async function askForSpins(host: Host, user: User, endpoint: EndpointName, random: Random): Promise<void> {
  const maxSpins = endpoint === 'amoe/guest-play' ? 100 : 1000;
  const body = {
    num_of_spins: random.chance(0.01) ? maxSpins : random.pick(numbers),
    ...(random.chance(0.5) ? {} : { game: random.pick(['prizewheel', 'truck', 'flight']) }),
    ...(endpoint === 'amoe/guest-queue' ? {} : effectiveDate(host.api.now(), random)),
    idempotency_key: idempotencyKey(user, random),
  };
  const request = { endpoint, path: { user_id: user.id }, body };
  const answer = await sendRequest(host, request, random);
  for (const { id } of answer?.body?.items ?? []) keepOutcome(host, id, random);
  const isDated = 'result_effective_date' in body;
  if (random.chance(isDated ? 0.6 : 0.2)) await sendChanged(host, request, random);
}

/**
 * Sends two more requests with the idempotency key of a request: one with another effective date, and one with another
 * number of spins. For `amoe/guest-queue`, which takes no date, the first one is the same request.
 */
async function sendChanged(
  host: Host,
  request: {
    endpoint: EndpointName;
    path: { user_id: string };
    body: { num_of_spins: number; result_effective_date?: string };
  },
  random: Random,
): Promise<void> {
  const { result_effective_date: date, ...undated } = request.body;
  const today = { ...undated, result_effective_date: dayOf(host.api.now()) };
  const more = { ...request.body, num_of_spins: (request.body.num_of_spins % 100) + 1 };
  const dated = request.endpoint === 'amoe/guest-queue' ? undated : date === undefined ? today : undated;
  for (const body of [dated, more]) await sendRequest(host, { ...request, body }, random);
}

/** Returns a request's effective date: in half of the cases none, otherwise today, a past or a future date. */
function effectiveDate(now: number, random: Random): { result_effective_date?: string } {
  if (random.chance(0.5)) return {};
  const some = Math.floor(random.around(10 * dayMs));
  return {
    result_effective_date: random.pick([
      dayOf(now),
      dayOf(now),
      dayOf(now + dayMs),
      dayOf(now - some),
      dayOf(now + some),
      instant(midnightBefore(now), random),
      instant(now, random),
      instant(now - some, random),
      '1970-01-01T00:00:00Z',
      '9999-12-31',
    ]),
  };
}
