import * as z from 'zod/mini';
import { cashLimit, integer, maxAmount } from '../../../shared/api/schemas.ts';
import { validate, withNumbersParsed } from '../../../shared/api/validate.ts';
import type { Settings } from '../../../shared/games/settings.ts';
import { type Game, games } from '../../../shared/vocabulary.ts';

const cost = z.optional(integer(0, maxAmount));
// Rejects control characters, because JSON escapes most of them as six bytes. Many of them could make a book's header,
// which contains the URL, too long for KMS to sign (4,096 bytes).
const visible = z.regex(/^[^\p{C}\s]+$/u, 'Input should be a valid URL');
const httpsUrl = z.url({ protocol: /^https$/ }).check(z.maxLength(500), visible);

const costs = Object.fromEntries(games.map((game) => [`cost_${game}`, cost])) as Record<
  `cost_${Game}`,
  typeof cost
>;

const changes = z.object({
  ...costs,
  daily_spin_limit_on: z.optional(z.boolean()),
  daily_spin_limit: z.optional(integer(1, 1_000_000)),
  daily_cash_limit_usd: z.optional(cashLimit),
  daily_cash_paced: z.optional(z.boolean()),
  daily_win_limit: z.optional(integer(0, 1_000_000)),
  rules_url: z.optional(z.union([z.literal(''), httpsUrl])),
});

/** Names of the settings that `game limits` changes, for all games of an organization. */
export const limitNames = [
  'daily_cash_limit_usd',
  'daily_cash_paced',
  'daily_spin_limit_on',
  'daily_spin_limit',
  'daily_win_limit',
  'rules_url',
] as const satisfies (keyof Settings)[];

/** Parses changes to settings, except prize tables. Throws a Refusal for the first error. */
export function parseSettingsChanges(input: Record<string, unknown>): Partial<Settings> {
  const parsed = validate(changes, withNumbersParsed(changes, input));
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}
