/** What a filing of a sweepstakes asks for. A lawyer has to confirm laws and figures. */
import { settingsAt } from '../../../shared/actions/scheduled-changes.ts';
import { readDrawings } from '../../../shared/drawings/drawings.ts';
import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { accountOfPrize, centsOf, countsAsWin } from '../../../shared/games/prizes.ts';
import type { Promotion } from '../../../shared/games/promotion.ts';
import { tableVersionOf } from '../../../shared/games/settings.ts';
import { readPageSettings } from '../../../shared/organizations/stored-page.ts';
import { addDays, dayOf } from '../../../shared/time.ts';
import { entryTypes, games, langs } from '../../../shared/vocabulary.ts';
import { Problem } from '../../common/problem.ts';
import { chancesInPercent } from './game-changes.ts';
import { readOrganization } from './organization.ts';
import { filingRules } from './report/reporting-law.ts';

export async function readPromotionFiling(organizationId: string, at: number) {
  const settings = settingsAt(await readOrganization(organizationId), at);
  const { promotion } = settings;
  if (!promotion) throw new Problem('There is no promotion. Set one with promotion set.');
  const { name, first_day, last_day, rules } = promotion;
  const page = await readPageSettings(organizationId);
  const days = daysIn(promotion);
  const tables = games.map(async (game) => {
    const { version, prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
    const chances = chancesInPercent(prizes);
    return prizes.map((prize) => ({ game, table: version, ...lineOf(prize, days, chances[prize.id]!) }));
  });
  const prizes = (await Promise.all(tables)).flat();
  const cash = Math.min(promotion.cash_limit_usd ?? Infinity, settings.daily_cash_limit_usd * days);
  const gifts = prizes.filter(({ kind }) => countsAsWin(kind) && kind !== 'cash_usd');
  const announced = (await readDrawings(organizationId)).filter(({ state, terms }) => {
    const isIn = terms.closes <= addDays(last_day, 1) && dayOf(Date.parse(terms.draws_at)) >= first_day;
    return isIn && state !== 'called_off' && !terms.is_test;
  });
  const drawings = announced.map(({ terms }) => {
    return { ...terms, prize: terms.drawing_id, label: terms.prize.en, number: terms.winners };
  });
  const values = [...gifts, ...drawings].map(({ number, value_usd }) => (number ?? 0) * (value_usd ?? 0));
  const total = values.reduce((sum, value) => sum + value, cash);
  const given = entryTypes.filter((type) => prizes.some(({ kind }) => accountOfPrize(kind) === type));
  const undrawn = given.filter((type) => !drawings.some((drawing) => drawing.type === type));
  const unknown = [
    ...gifts.flatMap(unknownIn),
    ...undrawn.map((type) => `drawing of ${type} entries, which games give`),
  ];
  return {
    note: 'Compiled from the settings then in force. Not legal advice: have a lawyer confirm it.',
    name,
    first_day,
    last_day,
    rules,
    maximum_cash_usd: cash,
    total_value_usd: total,
    total_is_complete: unknown.length === 0,
    states: filingRules.map(({ state, aboveUsd, daysAhead, winnersDays, source }) => ({
      state,
      above_usd: aboveUsd,
      is_above: total > aboveUsd || (unknown.length === 0 ? false : null),
      file_by: addDays(first_day, -daysAhead),
      winners_list_by: addDays(last_day, winnersDays),
      source,
    })),
    missing: [...missingTexts(promotion, page), ...unknown],
    prizes: [...prizes, ...drawings],
  };
}

const dayMs = 24 * 3_600_000;
/** Days whose limits apply: free spins of the last day run on the day after. */
const daysIn = ({ first_day, last_day }: Promotion): number =>
  (Date.parse(last_day) - Date.parse(first_day)) / dayMs + 2;

/** `number` is the largest number of prizes that the stock permits, or null without a stock. */
function lineOf(prize: Prize, days: number, chance_percent: number) {
  const { id, kind, amount, label, stock = Infinity, stock_per_day = Infinity } = prize;
  const number = Math.min(stock, stock_per_day * days);
  const cents = centsOf(prize);
  return {
    prize: id,
    label: label.en,
    kind,
    amount,
    number: Number.isFinite(number) ? number : null,
    value_usd: cents === null ? null : cents / 100,
    chance_percent,
  };
}

type Line = ReturnType<typeof lineOf> & { game: string };

const unknownIn = ({ game, prize, number, value_usd }: Line): string[] => [
  ...(value_usd === null ? [`value of ${prize} (${game})`] : []),
  ...(number === null ? [`number of ${prize} (${game}): the table sets no stock`] : []),
];

const missingTexts = ({ rules }: Promotion, page: Awaited<ReturnType<typeof readPageSettings>>): string[] =>
  langs.flatMap((lang) => [
    ...(rules[lang] ? [] : [`official rules (${lang})`]),
    ...(page[`free_entry_${lang}`] || page[`free_entry_url_${lang}`] ? [] : [`free entry text (${lang})`]),
  ]);
