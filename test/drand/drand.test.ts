import { describe, expect, test } from 'vitest';
import { randomnessOf } from '../../shared/drand/drand.ts';
import { firstRoundAt, quicknet, timeOfRound } from '../../shared/drand/rounds.ts';

/** Rounds of the drand network quicknet, as in drand's documentation and in the test data of two other verifiers. */
const rounds = [
  {
    round: 123,
    signature:
      'b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92',
    randomness: 'fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc',
  },
  {
    round: 1000,
    signature:
      'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
    randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  },
  {
    round: 657413,
    signature:
      'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b',
    randomness: 'fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
  },
];
const { round, signature } = rounds[1]!;

test.each(rounds)(
  'the randomness of quicknet’s round $round is the published one',
  ({ round, signature, randomness }) => {
    expect(randomnessOf(quicknet, round, signature)).toBe(randomness);
  },
);

/** `p` is the modulus of BLS12-381's coordinates. `flagsOf` places the flag bits in a signature's first byte. */
const p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const flagsOf = (first: number) => BigInt(first) << 376n;
const point = (x: bigint, first = 0x80) => (x | flagsOf(first)).toString(16).padStart(96, '0');

describe('a signature is invalid', () => {
  test.each([
    ['of another round', rounds[0]!.signature],
    ['with a bit flipped', signature.replace(/9$/, '8')],
    ['with the sign flipped', signature.replace(/^b/, '9')],
    ['that is too short', signature.slice(2)],
    ['that is too long', `${signature}00`],
    ['that is not hex', signature.replace(/9$/, 'g')],
    ['in upper case', signature.toUpperCase()],
    ['with a space', ` ${signature}`],
    ['that is empty', ''],
    ['that is not compressed', `1${signature.slice(1)}`],
    ['that is not a point of the curve', point(1n)],
    ['of the wrong subgroup', point(4n)],
    ['that is the point at infinity', point(0n, 0xc0)],
    ['that is the point at infinity with further bits', point(1n, 0xc0)],
    ['whose x equals the modulus', point(p)],
  ])('%s', (_, text) => {
    expect(randomnessOf(quicknet, round, text)).toBeUndefined();
  });

  test('if it encodes the same point in another way', () => {
    // If the coordinate x plus the modulus p were also valid, one round would have two signatures with
    // different randomness.
    const round = 13_335;
    const signature =
      'a38ab268d58c04ce2d22b8317e4b66ecda5fa8841c7215bf7733af8dbaed6c5e7d8d60b77817294a64b891f719bc1b40';
    expect(randomnessOf(quicknet, round, signature)).toBe(
      'f4eb2e59448d155b1bc34337f2a4160ac5005429644ba61134779a8b8c6087b6',
    );
    const x = BigInt(`0x${signature}`);
    expect(randomnessOf(quicknet, round, (x + p).toString(16))).toBeUndefined();
  });

  test('for a beacon with another key or a malformed one', () => {
    const { public_key } = quicknet;
    const infinity = `c0${'00'.repeat(95)}`;
    for (const key of [public_key.replace(/a$/, 'b'), public_key.slice(2), infinity, '', 'none'])
      expect(randomnessOf({ ...quicknet, public_key: key }, round, signature)).toBeUndefined();
  });

  test.each([0, -1, 1.5, 2 ** 64, Number.NaN])('for round %s', (round) => {
    expect(randomnessOf(quicknet, round, signature)).toBeUndefined();
  });
});

describe('the first round at or after a time', () => {
  const second = 1000;
  const genesis = quicknet.genesis_time * second;

  test('of a midnight in 2026 is the published one', () => {
    expect(firstRoundAt(quicknet, Date.parse('2026-04-20T00:00:00Z'))).toBe(27946612);
  });

  test.each([
    ['long before the first', -86_400 * second, 1],
    ['at the first', 0, 1],
    ['a millisecond after the first', 1, 2],
    ['a millisecond before the second', 3 * second - 1, 2],
    ['at the second', 3 * second, 2],
    ['a millisecond after the second', 3 * second + 1, 3],
  ])('%s', (_, after, round) => {
    expect(firstRoundAt(quicknet, genesis + after)).toBe(round);
  });

  test('at the time of a round is that round', () => {
    for (const round of [1, 2, 1000, 27946612])
      expect(firstRoundAt(quicknet, timeOfRound(quicknet, round))).toBe(round);
  });
});
