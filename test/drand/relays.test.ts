import { afterEach, describe, expect, test } from 'vitest';
import { localBeacon, relayAnswer, signRound } from '../../infra/develop/local/beacon.ts';
import { BeaconUnavailable, fetchRoundSignature } from '../../shared/drand/relays.ts';
import { waitMs } from '../support/patience.ts';
import { beaconAt, honest, type RelayBehaviour, startRelay } from '../support/relay.ts';
import { serve } from '../support/serve.ts';

const round = 592_000_000;
const patient = { totalMs: waitMs, answerMs: waitMs, pauseMs: 1 };
/** Asks each relay once: the pause before a second request would exceed the time limit. */
const once = { ...patient, pauseMs: waitMs };

const started: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(started.splice(0).map((relay) => relay.close())));
async function relay(behaviour?: RelayBehaviour) {
  const made = await startRelay(behaviour);
  started.push(made);
  return made;
}
async function nobody() {
  const { url, close } = await serve();
  await close();
  return { url };
}

const answering =
  (change: (answer: Record<string, unknown>) => unknown): RelayBehaviour =>
  (path, response) =>
    response.end(JSON.stringify(change(relayAnswer(path) as Record<string, unknown>)));
const text =
  (body: string): RelayBehaviour =>
  (_, response) =>
    response.end(body);
const status =
  (code: number, headers = {}): RelayBehaviour =>
  (path, response) =>
    response.writeHead(code, headers).end(JSON.stringify(relayAnswer(path)));

test('fetchRoundSignature requests the round of the beacon and verifies its signature', async () => {
  const one = await relay();
  expect(await fetchRoundSignature(beaconAt(one), round, patient)).toBe(signRound(round));
  expect(one.asked).toEqual([`/${localBeacon.hash}/public/${round}`]);
});

/** Faults of a beacon relay: description, the relay's behavior, and the reason that the error must contain. */
const faults: [string, RelayBehaviour, string | RegExp][] = [
  [
    'has another round’s signature',
    answering((answer) => ({ ...answer, signature: signRound(7) })),
    'invalid signature',
  ],
  [
    'flips a bit of the signature',
    answering(({ signature, ...answer }) => ({
      ...answer,
      signature: String(signature).replace(/.$/, (last) => (Number.parseInt(last, 16) ^ 1).toString(16)),
    })),
    'invalid signature',
  ],
  [
    'returns another round with a valid signature',
    (_, response) => honest(`/${localBeacon.hash}/public/7`, response),
    'round 7',
  ],
  [
    'returns another round under this number',
    answering(() => ({ round, signature: signRound(7) })),
    'invalid signature',
  ],
  ['has no signature', answering(({ signature, ...answer }) => answer), 'no round'],
  ['has a signature that is a number', answering((answer) => ({ ...answer, signature: 1 })), 'no round'],
  ['returns the round as a string', answering((answer) => ({ ...answer, round: String(round) })), 'no round'],
  ['returns an empty body', text(''), 'no round'],
  ['returns null', text('null'), 'no round'],
  ['returns HTML', text('<html>It works!</html>'), 'no round'],
  ['returns status 404', status(404), 'status 404'],
  ['returns status 425', status(425), 'status 425'],
  ['returns status 500', status(500), 'status 500'],
  ['returns status 204', status(204), 'status 204'],
  ['redirects', status(302, { location: 'http://169.254.169.254/' }), 'status 302'],
  ['hangs', () => {}, 'timeout'],
  ['hangs in the middle of the response', (_, response) => void response.write('{"round":'), 'timeout'],
  ['closes the connection', (_, response) => void response.destroy(), 'socket hang up'],
  [
    'closes the connection in the middle of the response',
    (_, response) => response.write('{"round":', () => response.destroy()),
    'aborted',
  ],
  [
    'never ends its response',
    (_, response) => {
      const more = () => void (response.writable && response.write(' '.repeat(1000), more));
      more();
    },
    'response too long',
  ],
  ['returns a long body', text(`{${' '.repeat(100_000)}}`), 'response too long'],
  [
    'returns too_large headers',
    (path, response) => {
      response.setHeader('x', 'x'.repeat(100_000));
      honest(path, response);
    },
    /Header overflow/,
  ],
];

describe('fetchRoundSignature tries another relay if one', () => {
  test.each(faults)('%s', async (_, behaviour, reason) => {
    const [bad, good] = [await relay(behaviour), await relay()];
    const answerMs = reason === 'timeout' ? 300 : waitMs;
    // Relays are asked in random order. Repeats the request until the faulty relay was asked before the correct one.
    while (bad.asked.length === 0)
      expect(await fetchRoundSignature(beaconAt(bad, good), round, { ...patient, answerMs })).toBe(
        signRound(round),
      );

    const alone = fetchRoundSignature(beaconAt(bad), round, { ...once, answerMs });
    await expect(alone).rejects.toThrow(BeaconUnavailable);
    await expect(alone).rejects.toThrow(reason);
  });

  test('refuses connections', async () => {
    const alone = fetchRoundSignature(beaconAt(await nobody()), round, once);
    await expect(alone).rejects.toThrow(BeaconUnavailable);
    await expect(alone).rejects.toThrow('ECONNREFUSED');
  });
});
