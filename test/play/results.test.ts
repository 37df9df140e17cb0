import { describe, expect, test } from 'vitest';
import { en } from '../../functions/play/page/texts/en.ts';
import { resultMarkup, winOf, winSizeOf } from '../../functions/play/page/won.ts';
import type { PrizeKind } from '../../shared/vocabulary.ts';
import { prizeOf } from '../support/prize.ts';

describe('the celebration of a prize', () => {
  test.each<[PrizeKind, number, number, number | undefined, string]>([
    ['tickets', 1, 1, undefined, 'small'],
    ['tickets', 5, 10, undefined, 'small'],
    ['tickets', 2, 1, undefined, 'nice'],
    ['tickets', 1, 0, undefined, 'nice'],
    ['tickets', 10, 1, undefined, 'big'],
    ['entry_truck', 1, 5, undefined, 'nice'],
    ['cash_usd', 4, 1, undefined, 'nice'],
    ['cash_usd', 5, 1, undefined, 'big'],
    ['prize_gift_card', 1, 10, undefined, 'big'],
    ['prize_gift_card', 1, 10, 3, 'nice'],
    ['prize_merchandise', 1, 10, 50, 'grand'],
    ['cash_usd', 50, 1, undefined, 'grand'],
  ])('%s, %d of them for %d tickets, worth %d, is %s', (kind, amount, cost, worth, size) => {
    expect(winSizeOf({ kind, amount, ...(worth !== undefined && { worth }) }, cost)).toBe(size);
  });
});

describe('a result', () => {
  const outcome = { id: 'out_1', prize: { prize_gift_card: 1 }, timestamp: '2026-11-23T12:00:00Z' };
  const card = { ...prizeOf('prize_gift_card', 1, 1), available: true };
  const markup = (listed: object) => {
    const won = winOf('en', en, outcome as never, [{ ...card, ...listed }]);
    return resultMarkup('en', en, { won, cost: 2, playedAt: outcome.timestamp, balance: 7 }).html;
  };

  test('shows the prize, its value, the next step and the cost', () => {
    const details = { en: 'We’ll send you the code by text message.', es: 'Te enviamos el código.' };
    const text = markup({ details, value_usd: 24.5 });
    for (const part of [card.label.en, 'Worth $24.50', details.en, 'You paid 2 tickets.', '7 tickets.'])
      expect(text).toContain(part);
    expect(text).not.toContain('out_1');
  });

  test('shows a general text if the prize has no details', () => {
    const text = markup({});
    expect(text).toContain(en.client.next);
    expect(text).not.toContain('Worth');
  });
});
