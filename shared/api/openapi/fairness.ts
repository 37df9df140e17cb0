/** Descriptions of the fields with which anybody can repeat a draw. */
import { fairness } from '../schemas.ts';

const ofCash = 'absent if `cash_left_usd` is null';
const ofWins = 'present if the wins of a user and day are limited';
const ofStock = 'present if the table has a stock';

const descriptions: Record<keyof typeof fairness.shape, string> = {
  commitment:
    'The SHA-256, in hex, of the 32 bytes that `server_seed` spells; the page shows it before the play',
  server_seed: "The service's part of the draw: 32 bytes in hex",
  client_seed: "The browser's part: the text that the first spin sent, empty if it sent none",
  prize_table_version:
    'The table that was drawn from: its game, and the SHA-256 of its prizes as canonical JSON, in base64url. The prizes ' +
    'themselves are in the page and in the book of the day',
  prize_id: 'What was drawn: the id of a prize in the table',
  cash_left_usd:
    "Whole USD of the day's cash that were left: cash prizes of more were not in the draw. Null if it was not limited, as " +
    'of a debug jackpot',
  tickets_only: 'Whether nothing but tickets was in the draw',
  cash_sequence: `How many cash prizes the day's cash had given before; ${ofCash}`,
  cash_granted_usd: `Their sum, in whole USD; ${ofCash}`,
  cash_limit_usd: `The day's cash in whole USD, or the share of it that the user draws from; ${ofCash}`,
  cash_paced_usd: 'How much of that was available at the hour, in whole USD; present if it is paced',
  win_limit: `How many wins a user can have on the day; ${ofWins}`,
  wins: `How many the user had before: if as many as there can be, only tickets and entries were in the draw; ${ofWins}`,
  stock_day: `The day in New York of the stock; ${ofStock}`,
  stock_sequence: `How many prizes of the stock had been won before; ${ofStock}`,
  stock_out: `Ids of the prizes that were out of stock, and so not in the draw; ${ofStock}`,
  stock_number: 'The number of the prize among all of its id, from 1; present if it has a stock',
  stock_number_of_day: 'The same among those of the day',
  debug: 'Present if the play was a debug one',
};

/** Pairs of a field's schema and its description. */
export const aboutFairness = Object.entries(descriptions).map(
  ([field, description]) => [fairness.shape[field as keyof typeof descriptions], { description }] as const,
);
