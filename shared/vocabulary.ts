/** Code that handles every value uses a `Record`, so the compiler reports missing values. */

export const recordKinds = ['tickets', 'entries', 'outcomes'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A book lists records with the same ULID in this order. */
export const leafKinds = ['actions', 'claims', 'entries', 'orders', 'outcomes', 'tickets'] as const;
export type LeafKind = (typeof leafKinds)[number];

export const entryTypes = ['truck', 'flight'] as const;
export type EntryType = (typeof entryTypes)[number];

export const accounts = ['tickets', ...entryTypes] as const;
export type Account = (typeof accounts)[number];

export const eventTypes = [
  'outcome',
  'balance_updated',
  'cash_won',
  'prize_won',
  'prize_updated',
  'drawing_closed',
  'drawing_won',
] as const;
export type EventType = (typeof eventTypes)[number];

export const games = ['prizewheel', 'truck', 'flight'] as const;
export type Game = (typeof games)[number];

/** Features that operators can pause: each game, and `amoe`, the alternative method of entry (free spins). */
export const pausable = ['amoe', ...games] as const;
export type Pausable = (typeof pausable)[number];

/** Every hold blocks plays; `organization_suspended` and `user_frozen` also block other changes. */
export const holds = ['organization_suspended', 'user_frozen', 'game_paused'] as const;
export type Hold = (typeof holds)[number];

export const langs = ['en', 'es'] as const;
export type Lang = (typeof langs)[number];

export const prizeKinds = [
  'entry_truck',
  'entry_flight',
  'prize_money_transfer',
  'prize_cash_back',
  'prize_streaming',
  'prize_imt',
  'prize_gift_card',
  'prize_phone_accessory',
  'prize_merchandise',
  'tickets',
  'cash_usd',
] as const;
export type PrizeKind = (typeof prizeKinds)[number];

/** Values of the field `game_status` in the report of outcomes. */
export const gameStatuses = ['Cash', 'Extra-prize', 'Ticket-only'] as const;
export type GameStatus = (typeof gameStatuses)[number];

/** Types of operators' actions in the records. Only `opened` and `changed` change settings. */
export const actionNames = [
  'opened',
  'changed',
  'scheduled',
  'unscheduled',
  'key_created',
  'key_revoked',
  'page_changed',
  'user_frozen',
  'user_unfrozen',
  'user_erased',
  'balance_adjusted',
  'play_voided',
  'play_restored',
  'spins_cancelled',
  'spins_restored',
  'webhook_enabled',
  'webhook_secrets_dropped',
  'events_replayed',
  'reports_rebuilt',
  'book_closed',
  'drawing_announced',
  'drawing_called_off',
  'drawing_returned',
  'drawing_closed',
  'drawing_won',
  'drawing_forfeited',
] as const;
export type ActionName = (typeof actionNames)[number];

/** A prize that is not tracked has no deadline and counts as no liability, until a step is recorded. */
export const claimStates = ['untracked', 'open', 'held', 'delivered', 'forfeited'] as const;
export type ClaimState = (typeof claimStates)[number];
/** A claim's state after a recorded step. */
export type SteppedState = Exclude<ClaimState, 'untracked'>;

/** Types of plays: `regular` costs tickets; `amoe` is a free spin by the alternative method of entry. */
export const playTypes = ['regular', 'amoe'] as const;
export type PlayType = (typeof playTypes)[number];

export const debugResults = ['jackpot', 'tickets_only', ...prizeKinds] as const;
export type DebugResult = (typeof debugResults)[number];

/** `tickets_only` limits the prizes of a play; the others prevent a play. */
export const restrictions = ['tickets_only', 'daily_spin_limit_reached', 'insufficient_tickets'] as const;
export type Restriction = (typeof restrictions)[number];
export type PlayObstacle = Exclude<Restriction, 'tickets_only'>;

export const drawingStates = ['announced', 'closed', 'drawn', 'called_off'] as const;
export type DrawingState = (typeof drawingStates)[number];

export const adjustmentDescription = 'Adjustment';
