/** Simulated hosts register, change, call and delete their webhooks. */
import { eventTypes } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { publicIpv4, publicIpv6 } from './addresses.ts';
import { creditTickets } from './balances.ts';
import { type Answer, forkRandom } from './client.ts';
import { type Host, pickOrUndefined, type Registration, sendRequest } from './host.ts';
import { readByToken } from './lists.ts';
import { textAfter } from './random-input.ts';
import { drawReceiverBehavior } from './receiver-behavior.ts';

type Fields = { callback_url: string; secret_key: string; event?: string };

/** Registers a webhook with a new or a used URL. A host with its maximum of webhooks deletes one before. */
export async function register(host: Host, random: Random): Promise<void> {
  if (host.maxWebhooks === 0) return;
  if (host.webhooks.length >= host.maxWebhooks) await remove(host, random);
  const before = random.chance(0.15) ? pickOrUndefined(random, host.webhooks) : undefined;
  const fields: Fields = {
    callback_url: before?.url ?? newReceiver(host, random),
    secret_key: secret(random),
    ...event(random),
  };
  // Credits tickets just before the registration, because a new webhook must not receive events from before it.
  const earlier = pickOrUndefined(random, host.users);
  if (earlier && random.chance(0.5)) await creditTickets(host, earlier, random);
  const answer = await sendRequest(host, { endpoint: 'webhooks/create', body: fields }, random);
  if (answer?.status !== 200) return;
  const id: string = answer.body.webhook_id;
  host.webhooks = host.webhooks.filter((webhook) => webhook.id !== id);
  host.webhooks.push({ id, url: fields.callback_url, secret: fields.secret_key, ...pickEvent(fields) });
  // Credits tickets right after the registration, because a new webhook must receive events immediately.
  const user = pickOrUndefined(random, host.users);
  if (user && random.chance(0.7)) await creditTickets(host, user, random);
}

const pickEvent = ({ event }: Fields) => (event === undefined ? {} : { event });

/** Lists the host's webhooks or reads one of them. */
export async function readWebhooks(host: Host, random: Random): Promise<void> {
  const known = pickOrUndefined(random, host.webhooks);
  if (known && random.chance(0.4))
    await sendRequest(host, { endpoint: 'webhooks/get', path: pathOf(known) }, random);
  else await listed(host, random);
}

function listed(host: Host, random: Random): Promise<Answer[]> {
  const limit = random.pick([undefined, undefined, '1', '2']);
  const query = limit === undefined ? {} : { limit };
  return readByToken((page) => sendRequest(host, page, random), { endpoint: 'webhooks/list', query }, 100);
}

/** Changes a random webhook, sometimes with two concurrent requests. */
export async function update(host: Host, random: Random): Promise<void> {
  const known = pickOrUndefined(random, host.webhooks);
  if (!known) return register(host, random);
  const streams = random.chance(0.2) ? [forkRandom(random), forkRandom(random)] : [random];
  await Promise.all(streams.map((stream) => change(host, known, stream)));
}

/** Updates a webhook's secret, URL and event type. Each may stay unchanged. */
async function change(host: Host, known: Registration, random: Random): Promise<void> {
  const fields: Fields = {
    callback_url: random.chance(0.3) ? newReceiver(host, random) : known.url,
    secret_key: random.chance(0.6) ? secret(random) : known.secret,
    ...(random.chance(0.4) ? event(random) : {}),
  };
  const answer = await sendRequest(
    host,
    { endpoint: 'webhooks/update', path: pathOf(known), body: fields },
    random,
  );
  if (answer?.status !== 200) return;
  known.url = fields.callback_url;
  known.secret = fields.secret_key;
}

/** Deletes a random webhook. */
export async function remove(host: Host, random: Random): Promise<void> {
  const known = pickOrUndefined(random, host.webhooks);
  if (!known) return;
  const answer = await sendRequest(host, { endpoint: 'webhooks/delete', path: pathOf(known) }, random);
  // A 404 also means that the webhook is deleted: after a lost answer, the retry finds no webhook.
  if (answer?.status === 200 || answer?.status === 404) {
    host.webhooks = host.webhooks.filter((one) => one !== known);
  }
}

/** Sends a custom payload to a random webhook through the API. */
export async function invoke(host: Host, random: Random): Promise<void> {
  const known = pickOrUndefined(random, host.webhooks);
  if (!known) return;
  const id = random.weighted({ none: 1, fresh: 3, used: 1 });
  const fresh = textAfter(`${known.id.slice(-4)}-${random.below(1e6)}`, random);
  const request_id = id === 'used' ? 'again-and-again' : fresh;
  const query = id === 'none' ? {} : { query: { request_id } };
  const body = payload(random);
  await sendRequest(host, { endpoint: 'webhooks/invoke', path: pathOf(known), ...query, body }, random);
}

const pathOf = ({ id }: Registration) => ({ webhook_id: id });

const event = (random: Random): { event?: string } =>
  random.chance(0.3) ? {} : { event: random.pick(['all', 'all', ...eventTypes]) };

/** Creates a receiver with a new URL. Returns the URL. */
function newReceiver(host: Host, random: Random): string {
  const number = ++host.receivers;
  const url = new URL(urlFor(`${host.name}-${number}`, random)).href;
  const { api, until } = host;
  const faultNumber = host.faultNumber === undefined ? undefined : host.faultNumber + number;
  const behavior = drawReceiverBehavior(random, api.now(), until, faultNumber);
  behavior.outages.push(...host.outages);
  api.receivers.register(url, behavior);
  return url;
}

function urlFor(name: string, random: Random): string {
  const host = random.weighted({ name: 12, port: 1, ipv4: 1, ipv6: 1 });
  const path = random.pick(['/', '/hooks', '/hooks/in?token=a%20b&x=1', '/ü']);
  if (host === 'ipv4') return `https://${publicIpv4(random)}/${name}${path}`;
  if (host === 'ipv6') return `https://[${publicIpv6(random)}]/${name}${path}`;
  return `https://${name}.hooks.example${host === 'port' ? ':8443' : ''}${path}`;
}

/** Returns a webhook secret: base64 as in the Standard Webhooks specification, or plain text. */
const secret = (random: Random): string =>
  random.pick([
    () => `whsec_${random.bytes(24).toString('base64')}`,
    () => `whsec_${random.bytes(24).toString('base64')}`,
    () => textAfter(`secret-${random.bytes(12).toString('hex')}`, random),
    () => `whsec_${random.bytes(1).toString('base64')}`,
    () => String(random.below(10)),
  ])();

/** Returns a JSON object as text. The receiver must get exactly these bytes. */
const payload = (random: Random): string =>
  random.pick([
    () => JSON.stringify({ hello: random.below(1000) }),
    () => `{ "spaces" :  [ 1, 2.50, 1e3 ],\n\t"text": "ñ \\u00e9 🦤 <b>" }`,
    () => '{"twice":1,"twice":2}',
    () => '{"text":"<aws.scheduler.execution-id> <aws.scheduler.attempt-number>"}',
    () => `{"deep":${'['.repeat(90)}${']'.repeat(90)}}`,
    () => '{}',
    () => JSON.stringify({ long: 'x'.repeat(random.chance(0.2) ? 60_000 : 2000) }),
  ])();
