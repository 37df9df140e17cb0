import { expect, test } from 'vitest';
import {
  countText,
  dayAt,
  dayText,
  hourText,
  labelOf,
  numberText,
  percentText,
  timeText,
  usdText,
  valueText,
} from '../../../../infra/operate/console/page/format.ts';

const iso = '2026-03-02T04:05:06.000Z';

test.each<[string, string]>([
  [numberText(12_345.67891), '12,345.6789'],
  [countText(1, 'row'), '1 row'],
  [countText(1234, 'row'), '1,234 rows'],
  [usdText(1234), '$1,234'],
  [usdText(1234.5), '$1,234.50'],
  [percentText(12.345), '12.35%'],
  [percentText(0.001234), '0.0012%'],
  [percentText(0), '0.00%'],
  [timeText(iso), 'Mar 1, 2026, 23:05:06'],
  [timeText('2026-03-02T05:05:06.000Z'), 'Mar 2, 2026, 00:05:06'],
  [hourText(iso), '23'],
  [dayText('2026-03-02'), 'Monday, March 2, 2026'],
  [dayAt(Date.parse(iso)), '2026-03-01'],
  [labelOf('cash_usd'), 'Cash'],
  [labelOf('prize_amoe-api'), 'AMOE API'],
  [valueText('value_usd', 2.5), '$2.50'],
  [valueText('return_percent', 2.5), '2.50%'],
  [valueText('since', iso), 'Mar 1, 2026, 23:05:06'],
  [valueText('prize', 'gift_card'), 'Gift card'],
  [valueText('frozen', false), 'No'],
  [valueText('error', ''), '–'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});
