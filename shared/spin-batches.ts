/** How an order's spins come to run: in transactions of many, each of which also lowers what remains. */
import { cashLeft, grantCash } from './cash.ts';
import { type OutcomeRecord, type Spun, spin } from './outcomes.ts';
import type { PrizeTable } from './prize-tables.ts';
import type { HistoryRecord } from './records.ts';
import type { SpinOrder } from './spin-orders.ts';
import type { Item, Part } from './table/client.ts';
import { cashKey, organizationKey, spinOrderKey } from './table/keys.ts';
import { dayOf } from './time.ts';
import { commit, type Decision, type User } from './users.ts';

/**
 * Spins in one transaction. DynamoDB takes 100 items; a spin has an outcome and at most one prize transaction,
 * and the user, the order and the day's cash come once.
 */
export const spinsPerTransaction = 30;
