/** The types of events that a webhook can be registered for. */
export const eventTypes = ['outcome', 'balance_updated', 'cash_won', 'prize_won'] as const;
export type EventType = (typeof eventTypes)[number];
