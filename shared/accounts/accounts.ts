import { entryTypes } from '../table/keys.ts';

/** The balances that a user has: tickets, and entries of each type. */
export const accounts = ['tickets', ...entryTypes] as const;
export type Account = (typeof accounts)[number];
