/** Random texts and numbers for requests, within the limits of the API. */
import type { Random } from '../../support/random.ts';
import type { User } from './host.ts';

const unusual = [
  'ñandú 🦤',
  'a b&c=d?e#f/g%2F',
  '"quoted"\\',
  ' leading and trailing ',
  'ACCOUNT#1#TICKETS#',
  '<aws.scheduler.execution-id>',
  '__proto__',
  '\u00a0\ttab',
  'Ａ\u0301',
  '日本語',
];

/**
 * Returns a text that begins with `start`. Sometimes adds unusual characters, or fills the text to `maxLength`
 * characters.
 */
export function textAfter(start: string, random: Random, maxLength = 255): string {
  const kind = random.weighted({ plain: 12, unusual: 2, long: 1 });
  if (kind === 'plain') return start;
  const text = `${start} ${random.pick(unusual)}`;
  // The API's limit counts code points, of which no text has more than the UTF-16 units that `padEnd` counts.
  return kind === 'long' ? text.padEnd(maxLength, 'x') : text;
}

const commonKeys = ['1', 'daily-bonus', 'welcome', 'bonus 2026'];

/** Returns an idempotency key: mostly a new key, sometimes a common key that earlier requests may have used. */
export function idempotencyKey(user: User, random: Random): string {
  if (random.chance(0.08)) return random.pick(commonKeys);
  return textAfter(`${Array.from(user.reference).slice(0, 20).join('')}-${++user.keys}`, random);
}

/** Returns the description of a balance change, often none. */
export const description = (random: Random): { description?: string } =>
  random.chance(0.4) ? {} : { description: random.chance(0.9) ? 'A present' : textAfter('For', random, 500) };

/** Returns a random amount, mostly small and rarely the maximum. */
export const amount = (random: Random): number =>
  random.pick([
    () => 1 + random.below(5),
    () => 1 + random.below(5),
    () => 1 + random.below(20),
    () => 1 + random.below(20),
    () => 1 + random.below(1000),
    () => (random.chance(0.1) ? 1_000_000_000 : 1 + random.below(1_000_000)),
  ])();

/** Returns the client seed of a play. The seed is sometimes absent, as from a browser that sends none. */
export function clientSeed(random: Random): { client_seed?: string } {
  const kind = random.weighted({ hex: 8, absent: 1, empty: 1, text: 1 });
  if (kind === 'absent') return {};
  if (kind === 'empty') return { client_seed: '' };
  return { client_seed: kind === 'hex' ? random.bytes(16).toString('hex') : textAfter('seed', random) };
}
