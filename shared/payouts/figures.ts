/** The names of what a check of payouts logs of each organization, by which the dashboard finds it. */
import type { Game, PlayType, PrizeKind } from '../vocabulary.ts';

/** The message of its line. */
export const payoutsMessage = 'payouts';
/** The field with the plays of a game, by their type. */
export const playsField = (game: Game, type: PlayType) => `${game}_${type}`;
/** The field with how many prizes of a kind were won. */
export const winsField = (kind: PrizeKind) => `won_${kind}`;
/** The fields of cash, in USD: what was won, what the draws were to give in the mean, and the limit of a day. */
export const cashFields = { won: 'cash', expected: 'expected_cash', limit: 'daily_cash_limit' } as const;
