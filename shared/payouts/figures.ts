/** Names in the log line that an organization's payout check writes. The dashboard queries the log by these names. */
import type { Game, PlayType, PrizeKind } from '../vocabulary.ts';

/** The field `message` of a payout check's log line. */
export const payoutsMessage = 'payouts';
/** Returns the name of the log field for the number of plays of a game and play type. */
export const playsField = (game: Game, type: PlayType) => `${game}_${type}`;
/** Returns the name of the log field for the number of wins of a kind of prize. */
export const winsField = (kind: PrizeKind) => `won_${kind}`;
/** Log fields for USD: cash won, cash expected from the odds, and the limit per day. */
export const cashFields = { won: 'cash', expected: 'expected_cash', limit: 'daily_cash_limit' } as const;
