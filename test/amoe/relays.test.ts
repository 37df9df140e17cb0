import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { answerOfRelay, localBeacon, signRound } from '../../infra/develop/local/beacon.ts';
import { askRelays, BeaconUnavailable } from '../../shared/amoe/relays.ts';
import { waitMs } from '../support/patience.ts';
import { beaconAt, honest, type RelayBehaviour, startRelay } from '../support/relay.ts';

const round = 592_000_000;
const patient = { totalMs: waitMs, answerMs: waitMs, pauseMs: 1 };
/** Asks each once. */
const once = { ...patient, pauseMs: waitMs };

const started: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(started.splice(0).map((relay) => relay.close())));
async function relay(behaviour?: RelayBehaviour) {
  const made = await startRelay(behaviour);
  started.push(made);
  return made;
}
/** A port at which nobody listens. */
async function nobody() {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return { url: `http://127.0.0.1:${port}` };
}

const answering =
  (change: (answer: Record<string, unknown>) => unknown): RelayBehaviour =>
  (path, response) =>
    response.end(JSON.stringify(change(answerOfRelay(path) as Record<string, unknown>)));
const text =
  (body: string): RelayBehaviour =>
  (_, response) =>
    response.end(body);
const status =
  (code: number, headers = {}): RelayBehaviour =>
  (path, response) =>
    response.writeHead(code, headers).end(JSON.stringify(answerOfRelay(path)));

test('a relay is asked for the round of the chain, and its signature is checked', async () => {
  const one = await relay();
  expect(await askRelays(beaconAt(one), round, patient)).toBe(signRound(round));
  expect(one.asked).toEqual([`/${localBeacon.chain}/public/${round}`]);
});

test('the address of a relay may have a path, and end with a slash', async () => {
  const one = await relay((path, response) => honest(path.replace('/drand', ''), response));
  const beacon = beaconAt({ url: `${one.url}/drand/` });
  expect(await askRelays(beacon, round, patient)).toBe(signRound(round));
});

/** What a relay may do instead of answering as it should, and what is said of it. */
const faults: [string, RelayBehaviour, string | RegExp][] = [
  [
    'has another round’s signature',
    answering((answer) => ({ ...answer, signature: signRound(7) })),
    'invalid signature',
  ],
  [
    'has flipped a bit',
    answering(({ signature, ...answer }) => ({
      ...answer,
      signature: String(signature).replace(/.$/, (last) => (Number.parseInt(last, 16) ^ 1).toString(16)),
    })),
    'invalid signature',
  ],
  [
    'answers another round, rightly signed',
    (_, response) => honest(`/${localBeacon.chain}/public/7`, response),
    'round 7',
  ],
  [
    'says that another round is this one',
    answering(() => ({ round, signature: signRound(7) })),
    'invalid signature',
  ],
  ['has no signature', answering(({ signature, ...answer }) => answer), 'no round'],
  ['has a signature that is a number', answering((answer) => ({ ...answer, signature: 1 })), 'no round'],
  ['says that the round is a text', answering((answer) => ({ ...answer, round: String(round) })), 'no round'],
  ['answers with nothing', text(''), 'no round'],
  ['answers with null', text('null'), 'no round'],
  ['answers with a page', text('<html>It works!</html>'), 'no round'],
  ['does not have it yet', status(404), 'status 404'],
  ['has it too early', status(425), 'status 425'],
  ['is out of order', status(500), 'status 500'],
  ['says that there is nothing', status(204), 'status 204'],
  ['leads elsewhere', status(302, { location: 'http://169.254.169.254/' }), 'status 302'],
  ['hangs', () => {}, 'timeout'],
  ['hangs in the middle of its answer', (_, response) => void response.write('{"round":'), 'timeout'],
  ['hangs up', (_, response) => void response.destroy(), 'socket hang up'],
  [
    'hangs up in the middle of its answer',
    (_, response) => response.write('{"round":', () => response.destroy()),
    'aborted',
  ],
  [
    'never ends',
    (_, response) => {
      const more = () => void (response.writable && response.write(' '.repeat(1000), more));
      more();
    },
    'response too long',
  ],
  ['answers at great length', text(`{${' '.repeat(100_000)}}`), 'response too long'],
  [
    'has enormous headers',
    (path, response) => {
      response.setHeader('x', 'x'.repeat(100_000));
      honest(path, response);
    },
    /Header overflow/,
  ],
];

describe('a relay is passed over that', () => {
  test.each(faults)('%s', async (_, behaviour, said) => {
    const [bad, good] = [await relay(behaviour), await relay()];
    const answerMs = said === 'timeout' ? 300 : waitMs;
    // Until it was the first to be asked.
    while (bad.asked.length === 0)
      expect(await askRelays(beaconAt(bad, good), round, { ...patient, answerMs })).toBe(signRound(round));

    const alone = askRelays(beaconAt(bad), round, { ...once, answerMs });
    await expect(alone).rejects.toThrow(BeaconUnavailable);
    await expect(alone).rejects.toThrow(said);
  });

  test('nobody is at', async () => {
    const alone = askRelays(beaconAt(await nobody()), round, once);
    await expect(alone).rejects.toThrow(BeaconUnavailable);
    await expect(alone).rejects.toThrow('ECONNREFUSED');
  });
});

test('a relay is no longer read from once its answer is too long', async () => {
  let closed: Promise<void> | undefined;
  const one = await relay((_, response) => {
    closed = new Promise((resolve) => response.once('close', resolve));
    const more = () => void (response.writable && response.write(' '.repeat(1000), more));
    more();
  });
  await expect(askRelays(beaconAt(one), round, once)).rejects.toThrow(BeaconUnavailable);
  await closed;
});

test('all are asked again until one has the round', async () => {
  let calls = 0;
  const late: RelayBehaviour = (path, response) => (++calls > 7 ? honest : status(404))(path, response);
  const relays = [await relay(late), await relay(late), await relay(late)];
  expect(await askRelays(beaconAt(...relays), round, patient)).toBe(signRound(round));
  for (const { asked } of relays) expect(asked.length).toBeGreaterThanOrEqual(2);
});

test('if none has it, the error says of each why', async () => {
  const [one, other] = [await relay(status(404)), await relay(text('no'))];
  const asked = askRelays(beaconAt(one, other), round, once);
  await expect(asked).rejects.toThrow(`round ${round} of ${localBeacon.chain}`);
  await expect(asked).rejects.toThrow(`${one.url}: status 404`);
  await expect(asked).rejects.toThrow(`${other.url}: no round`);
});

test('each relay is the first to be asked now and then', async () => {
  const firsts = new Set<string>();
  const relays = [await relay(), await relay(), await relay()];
  while (firsts.size < 3) {
    await askRelays(beaconAt(...relays), round, patient);
    for (const { url, asked } of relays) if (asked.splice(0).length > 0) firsts.add(url);
  }
});
