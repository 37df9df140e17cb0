import { expect, test } from 'vitest';
import { en } from '../../../../functions/play/page/texts/en.ts';
import { sentenceOf } from '../../../../infra/operate/admin/record-sentences.ts';
import { labelOf } from '../../../../infra/operate/console/page/format.ts';
import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { prizeKinds } from '../../../../shared/vocabulary.ts';
import { newOutcome } from '../../../support/records.ts';

test.each<[Partial<OutcomeRecord>, string]>([
  [{ prize: { tickets: 1 } }, 'A play of the prize wheel for 1 ticket won 1 ticket.'],
  [{ prize: { tickets: 1200 }, cost: 2 }, 'A play of the prize wheel for 2 tickets won 1,200 tickets.'],
  [{ prize: { entry_truck: 1 }, game: 'truck' }, 'A play of the truck for 1 ticket won 1 truck entry.'],
  [{ prize: { entry_flight: 3 }, game: 'flight' }, 'A play of the flight for 1 ticket won 3 flight entries.'],
  [{ prize: { cash_usd: 1500 } }, 'A play of the prize wheel for 1 ticket won $1,500 in cash.'],
  [{ prize: { prize_cash_back: 1 } }, 'A play of the prize wheel for 1 ticket won cash back.'],
  [{ prize: { prize_cash_back: 20 } }, 'A play of the prize wheel for 1 ticket won cash back (20).'],
  [{ prize: { prize_gift_card: 1 } }, 'A play of the prize wheel for 1 ticket won 1 gift card.'],
  [{ prize: { tickets: 5 }, play_type: 'amoe', cost: 0 }, 'A free spin of the prize wheel won 5 tickets.'],
  [
    { prize: { tickets: 5 }, budgets: { cash: { grants: 1, granted: 100, limit: 1600 } } },
    'A play of the prize wheel for 1 ticket won 5 tickets. $1,500 of the day’s cash was left.',
  ],
  [
    { prize: { tickets: 5 }, budgets: { cash: { grants: 1, granted: 9, limit: 5 } } },
    'A play of the prize wheel for 1 ticket won 5 tickets. $0 of the day’s cash was left.',
  ],
  [
    { prize: { tickets: 5 }, debug: 'tickets_only', cost: 0 },
    'A play of the prize wheel won 5 tickets. It was a test play.',
  ],
])('an outcome is explained: %j', (fields, sentence) => {
  const { budgets: _, ...outcome } = newOutcome('2026-03-08T05:00:00.000Z');
  expect(sentenceOf({ ...outcome, ...fields } as OutcomeRecord)).toBe(sentence);
});

test.each(prizeKinds.filter((kind) => kind.startsWith('prize_')))(
  'a prize has the same name for operators as for players: %s',
  (kind) => {
    const name = en.kinds[kind as keyof typeof en.kinds].toLowerCase();
    const outcome = { ...newOutcome('2026-03-08T05:00:00.000Z'), prize: { [kind]: 1 } };
    expect(sentenceOf(outcome as OutcomeRecord)).toContain(name);
    expect(name).toContain(labelOf(kind).toLowerCase());
  },
);
