import { expect, test } from 'vitest';
import { accountOfPrize, gameStatusOf } from '../../shared/games/prizes.ts';
import { prizeKinds } from '../../shared/vocabulary.ts';

const credited: Record<string, string> = { tickets: 'tickets', entry_truck: 'truck', entry_flight: 'flight' };

test.each(prizeKinds)(
  '%s has its game_status (Cash, Ticket-only or Extra-prize), and credits its account',
  (kind) => {
    const status = { tickets: 'Ticket-only', cash_usd: 'Cash' }[kind as string] ?? 'Extra-prize';
    expect(gameStatusOf[kind]).toBe(status);
    expect(accountOfPrize(kind)).toBe(credited[kind]);
  },
);
