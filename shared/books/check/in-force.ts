/** Checks that odds, costs and limits were those in force, which follow from the recorded changes. */
import * as z from 'zod/mini';
import { cashLimits } from '../../games/cash-limit.ts';
import { playTermsOf, playUrlLifetimeMs } from '../../games/play-rules.ts';
import { type Prize, versionOfPrizes } from '../../games/prize-tables.ts';
import { dayOfOrder, type PeriodTerms, periodTerms } from '../../games/promotion.ts';
import { type Settings as GameSettings, settingsChange } from '../../games/settings.ts';
import { canonicalJson } from '../../ids.ts';
import { maxClockSkewMs } from '../../time.ts';
import { games } from '../../vocabulary.ts';
import type { BookHeader } from '../book.ts';
import { settingsSchema as allSettings } from '../fields.ts';
import type { ActionLeaf, OrderLeaf, OutcomeLeaf } from '../leaves.ts';
import type { ReportFinding } from './findings.ts';
import type { BookDay, BookSettings, History, TermToCheck } from './state.ts';

/** Reports prize tables whose version is not the digest of their prizes. */
export function checkTables(tables: Readonly<Record<string, readonly Prize[]>>, report: ReportFinding): void {
  for (const [version, prizes] of Object.entries(tables)) {
    if (!games.some((game) => versionOfPrizes(game, prizes) === version))
      report('table_altered', `The prizes of table “${version}” do not match its version.`);
  }
}

/** Reports a change that does not follow from the settings before it. */
export function checkChange({ history }: BookDay, leaf: ActionLeaf, at: number, report: ReportFinding): void {
  const { action, before, after, table } = leaf;
  if (table) checkTables({ [table.version]: table.prizes }, report);
  const current = history.settings.at(-1)?.settings;
  if (action === 'opened') {
    const opened = z.safeParse(allSettings, after);
    if (current || leaf.sequence !== 1 || !opened.success)
      report('settings_differ', 'A record opens the organization a second time, or without all settings.');
    else history.settings.push({ at, settings: opened.data });
    return;
  }
  // The first settings are in a book that was not given.
  if (!current || Object.keys(after).length === 0) return;
  const [recorded, expected] = [{ before, after }, settingsChange(current, after)].map(canonicalJson);
  if (recorded !== expected)
    report('settings_differ', `The record says ${recorded}; the rules give ${expected}.`);
  history.settings.push({ at, settings: { ...current, ...(after as Partial<BookSettings>) } });
}

/** Compares the settings at the end of a day with the book's, and reports terms that were never in force. */
export function checkDayEnd(
  history: History,
  { settings }: BookHeader,
  end: number,
  report: ReportFinding,
): void {
  const current = history.settings.at(-1)?.settings;
  if (current ? canonicalJson(current) !== canonicalJson(settings) : history.isWhole)
    report('settings_differ', 'The settings are not those of the day before with the day’s changes.');
  const open = history.openTerms.filter((term) => !isInForce(history, term));
  for (const term of open) if (term.to < end) term.report('terms_not_in_force', term.sentence);
  // A change by a faster clock can be in the next book.
  history.openTerms = open.filter(({ to }) => to >= end);
  history.settings.push({ at: end, settings });
}

function isInForce({ settings, isWhole }: History, { from, to, holds }: TermToCheck): boolean {
  const first = settings.findLastIndex(({ at }) => at <= from);
  if (first < 0 && !isWhole) return true;
  return settings.slice(Math.max(0, first)).some((one) => one.at <= to && holds(one.settings));
}

/** A term that is not in force by the changes read so far is checked again at the end of the day. */
function require({ history }: BookDay, term: Omit<TermToCheck, 'report'>, report: ReportFinding) {
  if (!isInForce(history, { ...term, report })) history.openTerms.push({ ...term, report });
}

const around = (at: number) => ({ from: at - maxClockSkewMs, to: at + maxClockSkewMs });

export const checkOrderTerms = (day: BookDay, leaf: OrderLeaf, at: number, report: ReportFinding): void =>
  require(day, {
    ...around(at),
    holds: (settings) => games.some((game) => settings[`prize_table_${game}`] === leaf.prize_table_version),
    sentence: `The order promised table “${leaf.prize_table_version}”.`,
  }, report);

/** Returns when the play URL was made. A debug play can expire earlier than others, so it can have been made later. */
export function urlMadeBetween({ expires_at, debug }: OutcomeLeaf, at: number): { from: number; to: number } {
  const made = expires_at ? Date.parse(expires_at) - playUrlLifetimeMs : at;
  return { from: made - maxClockSkewMs, to: (debug ? at : made) + maxClockSkewMs };
}

const periodIn = ({ outside, promotion }: PeriodTerms) =>
  [outside, promotion?.first_day, promotion?.limit].join();

/** A play URL fixes cost and prize table when it is made; limits are those at the draw. */
export function checkOutcomeTerms(day: BookDay, leaf: OutcomeLeaf, at: number, report: ReportFinding): void {
  const { game, debug, cost, prize_table_version: version, budgets, expires_at, order_id } = leaf;
  if (expires_at !== undefined) {
    const made = urlMadeBetween(leaf, at);
    if (at < made.from || at > Date.parse(expires_at) + maxClockSkewMs)
      report('terms_not_in_force', `The play URL that expires at ${expires_at} was not valid then.`);
    const holds = (settings: BookSettings) => {
      const terms = playTermsOf(settings as GameSettings, game, debug);
      return terms.cost === cost && terms.prize_table_version === version;
    };
    require(day, {
      ...made,
      holds,
      sentence: `The play cost ${cost} and used table “${version}”.`,
    }, report);
  } else if (cost !== 0) report('terms_not_in_force', `A free spin cost ${cost}.`);
  if (!budgets) return;
  const { cash, promotion, outside, wins } = budgets;
  const periodDay = order_id === undefined ? (budgets.day ?? day.day) : dayOfOrder(order_id);
  const times = [at, at - maxClockSkewMs, at + maxClockSkewMs];
  const holds = (settings: BookSettings) =>
    settings.daily_win_limit === (wins?.limit ?? 0) &&
    periodIn(periodTerms(settings.promotion, periodDay)) === periodIn(budgets) &&
    times.some((time) => cashLimits(settings, time).limit === cash.limit);
  const ofPeriod = outside
    ? ', outside a promotion'
    : promotion
      ? ` and the promotion of ${promotion.first_day}`
      : '';
  const limits = `${cash.limit} USD a day${ofPeriod}${wins ? ` and ${wins.limit} wins` : ''}`;
  require(day, { ...around(at), holds, sentence: `The draw was limited to ${limits}.` }, report);
}
