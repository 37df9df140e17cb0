import type { Game, PlayType, PrizeKind } from '../vocabulary.ts';

/** The field `message` of a payout check's log line. */
export const payoutsMessage = 'payouts';
export const playsField = (game: Game, type: PlayType) => `${game}_${type}`;
export const winsField = (kind: PrizeKind) => `won_${kind}`;
/** Log fields for USD: cash won, cash expected from the odds, and the limit per day. */
export const cashFields = { won: 'cash', expected: 'expected_cash', limit: 'daily_cash_limit' } as const;
