/** Descriptions of the fields with which anybody can repeat a draw. */
import type * as z from 'zod/mini';
import { drawBudgets, fairness } from '../schemas.ts';

const ofFairness: Record<keyof typeof fairness.shape, string> = {
  commitment: 'The hex SHA-256 of the 32 bytes of `server_seed`. The page shows it before the play',
  server_seed: "The service's part of the draw: 32 bytes in hex",
  client_seed: "The browser's part of the draw: the text sent with the first spin, or empty",
  prize_table_version:
    'The version of the prize table: the game, and the base64url SHA-256 of the prizes as canonical JSON. ' +
    'The prizes are on the page and in the book of the day',
  prize_id: 'The id of the drawn prize in the table',
  budgets:
    'The budgets before the draw. A prize was in the draw if every budget had enough left for it. If the ' +
    'remaining cash covered no cash prize of the table, only tickets were in the draw. Absent for a forced prize',
  debug: 'The forced result. Present only for a debug play',
};

const ofBudgets: Record<keyof typeof drawBudgets.shape, string> = {
  day: 'The day in New York on which the play counts, if it is not the day of `timestamp`',
  cash:
    "The day's cash, if paced its part so far, in whole USD: the number of cash prizes granted earlier, their " +
    'sum, and the limit at the time. Cash prizes above `limit - granted` were not in the draw',
  promotion:
    'Present in the period of a promotion: its first day, the number of cash prizes granted earlier, the cash of ' +
    'the promotion so far, and its limit, if there is one',
  outside: 'True outside the period of the promotion: only tickets were in the draw',
  stock:
    'Present if the table has a prize with a stock: the number of prizes granted earlier from the stock, and the ' +
    'ids that were out of stock. If the drawn prize has a stock, also its number in all and on the day, from 1',
  wins:
    "Present if a user's wins per day are limited: the earlier wins of the day and the limit. At the limit, only " +
    'tickets and entries were in the draw',
};

const about = <Name extends string>(shape: Record<Name, z.ZodMiniType>, descriptions: Record<Name, string>) =>
  Object.entries<string>(descriptions).map(
    ([field, description]) => [shape[field as Name], { description }] as const,
  );

export const fairnessDocs = [...about(fairness.shape, ofFairness), ...about(drawBudgets.shape, ofBudgets)];
