/**
 * The enumerations of the service. Types and API schemas are derived from them. Code that needs a value for
 * each word uses a `Record`, so that the compiler finds the missing values of a new word.
 */

/** The kinds of records in a user's history; each is also a report. */
export const recordKinds = ['tickets', 'entries', 'outcomes'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** The types of sweepstakes entries; each has its own balance and list of records. */
export const entryTypes = ['truck', 'flight'] as const;
export type EntryType = (typeof entryTypes)[number];

/** A user's balances: tickets, and entries of each type. */
export const accounts = ['tickets', ...entryTypes] as const;
export type Account = (typeof accounts)[number];

/** The types of events that a webhook can be registered for. */
export const eventTypes = ['outcome', 'balance_updated', 'cash_won', 'prize_won'] as const;
export type EventType = (typeof eventTypes)[number];
/** The type of the event that informs an organization's other webhooks when one is switched off. */
export const noticeType = 'webhook_disabled';
/** The types of all events, including the one that every webhook gets without registering for it. */
export const deliverableEventTypes = [...eventTypes, noticeType] as const;
export type DeliverableEventType = (typeof deliverableEventTypes)[number];

/** The games, in the order in which they are shown. */
export const games = ['prizewheel', 'truck', 'flight'] as const;
export type Game = (typeof games)[number];

/** The games and the alternative method of entry, each of which operators can pause. */
export const pausable = ['amoe', ...games] as const;
export type Pausable = (typeof pausable)[number];

/** The holds that operators can set and lift. Each blocks plays, and some block other changes. */
export const holds = ['organization_suspended', 'user_frozen', 'game_paused'] as const;
export type Hold = (typeof holds)[number];

/** The languages of the play page; the first is the default. */
export const langs = ['en', 'es'] as const;
export type Lang = (typeof langs)[number];

/** The categories of prizes, in the order of the prize object. */
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

/** The values of `game_status` in the report of outcomes. */
export const gameStatuses = ['Cash', 'Extra-prize', 'Ticket-only'] as const;
export type GameStatus = (typeof gameStatuses)[number];

/** The actions of operators that are recorded. Only `opened` and `changed` change settings. */
export const operationActions = [
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
  'webhook_limited',
  'webhook_enabled',
  'webhook_secrets_dropped',
  'deliveries_redriven',
  'events_replayed',
  'reports_rebuilt',
  'book_closed',
] as const;
export type OperationAction = (typeof operationActions)[number];

/**
 * How a spin was entered: `regular` for tickets, `amoe` free of charge by the alternative method of entry.
 */
export const playTypes = ['regular', 'amoe'] as const;
export type PlayType = (typeof playTypes)[number];

/** The forced results of a debug play. */
export const debugResults = ['jackpot', 'tickets_only'] as const;
export type DebugResult = (typeof debugResults)[number];

/** The restrictions of the contract. All but `tickets_only` prevent a play. */
export const restrictions = ['tickets_only', 'daily_spin_limit_reached', 'insufficient_tickets'] as const;
export type Restriction = (typeof restrictions)[number];
/** A restriction that prevents a play. */
export type Obstacle = Exclude<Restriction, 'tickets_only'>;
