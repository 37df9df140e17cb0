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
import { type Action, changesIn } from '../../../../infra/operate/console/page/pages/actions.ts';

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
  [valueText('daily_win_limit', 0), 'off'],
  [valueText('daily_win_limit', 10), '10'],
  [valueText('return_percent', 2.5), '2.50%'],
  [valueText('since', iso), 'Mar 1, 2026, 23:05:06'],
  [valueText('prize', 'gift_card'), 'Gift card'],
  [valueText('frozen', false), 'No'],
  [valueText('error', ''), '–'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});

const page = { before: { name: 'Blue' }, after: { name: 'Red' } };
const webhook = { before: { max_concurrency: 10, rate: 2 }, after: { max_concurrency: 5 } };
test.each<[Partial<Action>, string]>([
  [{ action: 'opened' }, 'The organization was created with the default settings.'],
  [
    { before: { daily_cash_limit_usd: 500 }, after: { daily_cash_limit_usd: 750 } },
    'Daily cash limit: $500 → $750',
  ],
  [{ about: { page } }, 'Name: Blue → Red'],
  [{ about: { webhook, webhook_id: 'wh_1' } }, 'Max concurrency: 10 → 5; Rate: 2 → –; Webhook ID: wh_1'],
  [
    { about: { user_id: 'usr_1', account: 'tickets', balance: { before: 3, after: 0 } } },
    'Balance: 3 → 0; User ID: usr_1; Account: Tickets',
  ],
  [
    { action: 'scheduled', about: { from: iso, changes: { daily_cash_limit_usd: 750, daily_win_limit: 0 } } },
    'Daily cash limit: $750; Daily win limit: off; From: Mar 1, 2026, 23:05:06; Change: 7',
  ],
  [
    { before: { cost_truck: 5 }, after: { cost_truck: 6 }, about: { sequence: 3 } },
    'Cost truck: 5 → 6; Change: 3',
  ],
  [{ table: { game: 'truck', version: 'truck-1', prizes: [{}, {}] } }, 'Table with 2 prizes for Truck'],
])('the audit of %j shows the values before and after it', (operation, expected) => {
  const common = { operation_id: '', date_created: iso, operator: 'ana', action: 'changed', sequence: 7 };
  expect(changesIn({ ...common, ...operation })).toBe(expected);
});
