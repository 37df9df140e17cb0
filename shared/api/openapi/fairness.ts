/** Descriptions of the fields from which a draw can be repeated. */
import { fairness } from '../schemas.ts';

const ofCash = 'Absent if `cash_left_usd` is null';
const ofWins = "Present if a user's wins per day are limited";
const ofStock = 'Present if the table has a prize with a stock';

const descriptions: Record<keyof typeof fairness.shape, string> = {
  commitment: 'The hex SHA-256 of the 32 bytes of `server_seed`. The page shows it before the play',
  server_seed: "The service's part of the draw: 32 bytes in hex",
  client_seed: "The browser's part of the draw: the text sent with the first spin, or empty",
  prize_table_version:
    'The version of the prize table: the game, and the base64url SHA-256 of the prizes as canonical JSON. ' +
    'The prizes are on the page and in the book of the day',
  prize_id: 'The id of the drawn prize in the table',
  cash_left_usd:
    "The rest of the day's cash in whole USD; larger cash prizes were not in the draw. Null if the cash " +
    'was not limited, as in a debug jackpot',
  tickets_only: 'Whether only ticket prizes were in the draw',
  cash_sequence: `The number of cash prizes granted earlier from the day's cash. ${ofCash}`,
  cash_granted_usd: `The sum of the cash prizes granted earlier, in whole USD. ${ofCash}`,
  cash_limit_usd: `The day's cash in whole USD, or the user's share if it is divided. ${ofCash}`,
  cash_paced_usd:
    "The part of the day's cash available by this hour, in whole USD. Present if the cash is paced",
  win_limit: `The maximum of a user's wins on the day. ${ofWins}`,
  wins: `The user's earlier wins of the day. At the maximum, only tickets and entries are in the draw. ${ofWins}`,
  stock_day: `The day in New York of the stock. ${ofStock}`,
  stock_sequence: `The number of prizes granted earlier from the stock. ${ofStock}`,
  stock_out: `Ids of the prizes that were out of stock, and therefore not in the draw. ${ofStock}`,
  stock_number: "The prize's number among all wins of the same id, from 1. Present if the prize has a stock",
  stock_number_of_day: "The prize's number among the day's wins of the same id, from 1",
  debug: 'Present if this was a debug play',
};

/** Pairs of a field's schema and description. */
export const aboutFairness = Object.entries(descriptions).map(
  ([field, description]) => [fairness.shape[field as keyof typeof descriptions], { description }] as const,
);
