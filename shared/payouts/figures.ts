/** Field names in the log line of an organization's payout check. The dashboard queries them. */
import type { Game, PlayType, PrizeKind } from '../vocabulary.ts';

/** Message of the log line. */
export const payoutsMessage = 'payouts';
/** Returns the name of the field with the number of plays of a game and type. */
export const playsField = (game: Game, type: PlayType) => `${game}_${type}`;
/** Returns the name of the field with the number of wins of a kind of prize. */
export const winsField = (kind: PrizeKind) => `won_${kind}`;
/** Names of the cash fields in USD: won, expected from the odds, and the limit per day. */
export const cashFields = { won: 'cash', expected: 'expected_cash', limit: 'daily_cash_limit' } as const;
