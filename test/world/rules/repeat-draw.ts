/**
 * Repeats the draw of an outcome without the service's code: HMAC-SHA-256 with rejection sampling, as in
 * `shared/games/draw.ts`.
 */
import { createHash, createHmac } from 'node:crypto';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import { isForcedPrize, isWin } from './item-types.ts';
import { seedOfOutcome } from './server-seeds.ts';

const isCash = ({ kind }: Prize) => kind === 'cash_usd';

function cashLeft({ budgets: { cash, promotion } }: StoredItem): number {
  const { limit = Infinity, granted = 0 } = promotion ?? {};
  return Math.min(cash.limit - cash.granted, limit - granted);
}

/**
 * Returns whether a draw had only tickets: by debug setting, outside a promotion, or because the remaining cash was
 * less than each cash prize.
 */
function onlyTickets(prizes: readonly Prize[], outcome: StoredItem): boolean {
  if (outcome.debug === 'tickets_only' || outcome.budgets?.outside) return true;
  if (outcome.debug) return false;
  return prizes.some(isCash) && !prizes.some((prize) => isCash(prize) && prize.amount <= cashLeft(outcome));
}

/** Returns the prizes in the draw, limited by stock, remaining cash and the user's daily wins. */
function inDraw(prizes: readonly Prize[], outcome: StoredItem): readonly Prize[] {
  if (isForcedPrize(outcome.debug)) {
    if (outcome.debug !== 'jackpot') return prizes.filter(({ kind }) => kind === outcome.debug);
    const highest = Math.max(...prizes.filter(isCash).map(({ amount }) => amount));
    return prizes.filter((prize) => isCash(prize) && prize.amount === highest).slice(0, 1);
  }
  const { wins = { granted: 0, limit: 1 }, stock } = outcome.budgets;
  const inStock = prizes.filter(({ id }) => !stock?.out?.includes(id));
  if (onlyTickets(prizes, outcome)) return inStock.filter(({ kind }) => kind === 'tickets');
  const isOut = (prize: Prize) =>
    wins.granted >= wins.limit && isWin({ prize: { [prize.kind]: 1 } } as never);
  return inStock.filter((prize) => !isOut(prize) && (!isCash(prize) || prize.amount <= cashLeft(outcome)));
}

/** Yields endless 32-bit words, eight from each HMAC, with the server seed as the key. */
function* wordsOf(eligible: readonly Prize[], outcome: StoredItem): Generator<number, never> {
  const { client_seed, spin_index } = outcome;
  const server_seed = seedOfOutcome(outcome);
  const set = eligible.map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const prizes = createHash('sha256').update(JSON.stringify(set)).digest('hex');
  for (let counter = 0; ; counter++) {
    const mac = createHmac('sha256', server_seed, { encoding: 'hex' });
    const digest = mac.update([prizes, spin_index, counter, client_seed].join('\n')).digest();
    for (let word = 0; word < 8; word++) yield digest.readUInt32BE(4 * word);
  }
}

/** Returns the prize that an outcome's seeds determine, or undefined if no prize is in the draw. */
export function repeatDraw(prizes: readonly Prize[], outcome: StoredItem): Prize | undefined {
  const eligible = inDraw(prizes, outcome).filter(({ weight }) => weight > 0);
  const total = eligible.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return undefined;
  // The draw uses the first word whose remainder modulo `room`, a power of two, is below the total weight.
  let room = 1;
  while (room < total) room *= 2;
  let number = total;
  for (const word of wordsOf(eligible, outcome)) {
    number = word % room;
    if (number < total) break;
  }
  let upTo = 0;
  return eligible.find(({ weight }) => {
    upTo += weight;
    return number < upTo;
  });
}

const statusOf = (kind: string) =>
  kind === 'cash_usd' ? 'Cash' : kind === 'tickets' ? 'Ticket-only' : 'Extra-prize';

/** Returns a description of each field in which an outcome contradicts its seeds or prize table. */
export function errorsOfDraw(outcome: StoredItem, prizes: readonly Prize[]): string[] {
  const drawn = repeatDraw(prizes, outcome);
  const holds = {
    'it reveals its server seed': outcome.server_seed === undefined,
    'a forced prize has budgets, or another play has none':
      isForcedPrize(outcome.debug) === (outcome.budgets === undefined),
    [`its seeds determine ${drawn?.id}`]: drawn?.id === outcome.prize_id,
    'its prize differs from the prize table': drawn && isSame(outcome.prize, { [drawn.kind]: drawn.amount }),
    'its status does not match its prize': drawn && outcome.game_status === statusOf(drawn.kind),
  };
  return Object.entries(holds).flatMap(([fault, holdsTrue]) => (holdsTrue ? [] : [fault]));
}
