import type { ClaimRecord } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import { preferenceWeights } from '../../../shared/api/pack.ts';
import { readBookProof } from '../../../shared/books/proof.ts';
import { openDrawingsIn } from '../../../shared/drawings/drawings.ts';
import { budgetsForDraw, type DrawLimits, hasStock, winsOnDay } from '../../../shared/games/budgets.ts';
import { readPlayerState } from '../../../shared/games/eligibility.ts';
import { firstHold } from '../../../shared/games/holds.ts';
import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import { obstaclesOf } from '../../../shared/games/play-rules.ts';
import {
  isPlayExpired,
  isPlayed,
  outcomeKeyOf,
  type PlaySession,
  storedPlayResult,
} from '../../../shared/games/play-sessions.ts';
import { playRulesOf } from '../../../shared/games/rules.ts';
import type { Settings } from '../../../shared/games/settings.ts';
import { readStock } from '../../../shared/games/stored-budgets.ts';
import { idOf, timeOfUlid } from '../../../shared/ids.ts';
import { type PageSettings, pageSettingsIn } from '../../../shared/organizations/page-settings.ts';
import { readPageSettings } from '../../../shared/organizations/stored-page.ts';
import { readLastSteps } from '../../../shared/prizes/claims.ts';
import { readDrawnPrizes } from '../../../shared/prizes/won-prize.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import { shardOf } from '../../../shared/shards.ts';
import type { Item } from '../../../shared/table/client.ts';
import { pageKey } from '../../../shared/table/keys.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../../shared/time.ts';
import { entryTypes, type Lang, langs, type PlayObstacle } from '../../../shared/vocabulary.ts';
import { listPrizes } from './listed-prizes.ts';
import type { PageView, ShownRestriction } from './view.ts';

/**
 * Returns the page language that the header `Accept-Language` prefers (RFC 9110, 12.5.4), or the first page
 * language.
 */
export function preferredLang(acceptLanguage: string): Lang {
  const preferred = [...preferenceWeights(acceptLanguage)].flatMap(([tag, weight]) => {
    const lang = langs.find((supported) => supported === tag.split('-')[0]);
    return lang && weight > 0 ? { lang, weight } : [];
  });
  return preferred.toSorted((a, b) => b.weight - a.weight)[0]?.lang ?? langs[0];
}

export function unknownPlayView(acceptLanguage: string, now: number): PageView {
  return { lang: preferredLang(acceptLanguage), game: 'prizewheel', state: 'unknown', now: isoOf(now) };
}

/** The page of an erased user looks like that of an unknown URL. */
export async function readSessionView(session: PlaySession, now: number): Promise<PageView> {
  const { lang, game } = session;
  return viewOfUser(session, now).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== refusals.userNotFound().code) throw error;
    const page = await readPageSettings(session.organization_id);
    return { lang, game, state: 'unknown', now: isoOf(now), page };
  });
}

async function viewOfUser(session: PlaySession, now: number): Promise<PageView> {
  const { lang, game, organization_id, user_id, cost, debug, voided } = session;
  const playedSession = isPlayed(session) ? session : undefined;
  const common = { lang, game, now: isoOf(now), expires_at: session.expires_at };
  if (voided || (!playedSession && isPlayExpired(session, now))) {
    const page = await readPageSettings(organization_id);
    return { ...common, state: voided ? 'voided' : 'expired', page };
  }
  const isOfEarlierDay = playedSession && dayOf(timeOfUlid(playedSession.played.ulid)) < dayOf(now);
  const keys = [pageKey(organization_id), ...(playedSession ? [outcomeKeyOf(playedSession)] : [])];
  const [{ user, settings, budgets, organization, others }, table, steps, place] = await Promise.all([
    readPlayerState(organization_id, user_id, now, keys),
    readPrizeTable(organization_id, game, session.prize_table_version),
    playedSession && readLastSteps(organization_id, user_id),
    isOfEarlierDay && readBookProof(organization_id, user_id, idOf('out', playedSession.played.ulid)),
  ]);
  const [pageItem, record] = others;
  const page = pageSettingsIn(pageItem);
  const played = playedSession && storedPlayResult(playedSession, record);
  const claim = played && claimIn(steps!.get(played.outcome.id));
  // A delivered or forfeited prize has no deadline any more.
  if (claim && claim.state !== 'held') delete played.outcome.claim_by;
  const rules = playRulesOf(debug);
  const { prizes } = table;
  const stock =
    !played && hasStock(prizes)
      ? await readStock(organization_id, game, budgets.day, shardOf(user_id))
      : undefined;
  const wins = winsOnDay(user, budgets.day, settings.daily_win_limit);
  const standing = budgetsForDraw({ ...budgets, ...(stock ? { stock } : {}) }, prizes, wins);
  const limits = played ? played.fairness.budgets : rules.isBudgeted ? standing : undefined;
  const ticketsOnly = rules.isTicketsOnly(prizes, limits ?? {});
  const winLimit = limits?.wins && limits.wins.granted >= limits.wins.limit && limits.wins.limit;
  const hold = played ? undefined : firstHold(settings, [game], user);
  const [obstacle] = played || !rules.isLimited ? [] : obstaclesOf(user, cost, settings, budgets.day);
  const restriction = hold ? { code: hold } : obstacle && restrictionOf(obstacle, settings, budgets.day);
  return {
    ...common,
    state: played ? 'played' : restriction ? 'refused' : 'ready',
    cost,
    // The page of a played URL omits the ticket balance, because the balance may have changed since the play.
    ...(played ? {} : { balance: user.balances.tickets }),
    prizes: listPrizes(session, prizes, limits, budgets.cash.limitOfDay, stock),
    tickets_only: ticketsOnly,
    ...periodOf(settings, limits),
    ...(winLimit && !ticketsOnly ? { wins_used_up: winLimit } : {}),
    prize_table_version: table.version,
    commitment: session.commitment,
    ...rulesFieldsOf(lang, page, settings),
    page,
    ...drawingsOf(user, organization, now),
    ...(await drawnOf(user)),
    ...(restriction ? { restriction } : {}),
    ...played,
    ...(claim && { claim }),
    ...(place ? { place } : {}),
  };
}

function claimIn({ state, delivered_on }: Partial<ClaimRecord> = {}): PageView['claim'] {
  return state === undefined || state === 'open' ? undefined : { state, delivered_on };
}

function drawingsOf(
  { balances }: User,
  organization: Item | undefined,
  now: number,
): Pick<PageView, 'drawings'> {
  const open = openDrawingsIn(organization)
    .filter(({ state, closes }) => state === 'closed' || (state === 'announced' && closes >= dayOf(now)))
    .sort((a, b) => (a.closes < b.closes ? -1 : 1));
  const drawings = entryTypes.map((type) => {
    return { type, entries: balances[type], open: open.filter((one) => one.type === type) };
  });
  return { drawings: drawings.filter(({ entries, open }) => entries > 0 || open.length > 0) };
}

/** Returns the prizes of drawings that the user can still claim. Only winners cause a read. */
async function drawnOf(user: User): Promise<Pick<PageView, 'drawn_prizes'>> {
  const won = await readDrawnPrizes(user);
  const drawn_prizes = won.flatMap(({ prize_id, prize, claim_by }) => {
    const state = user.drawn_prizes?.[prize_id];
    return state === 'open' || state === 'held' ? { prize, claim_by: claim_by!, state } : [];
  });
  return { drawn_prizes };
}

function periodOf({ promotion }: Settings, limits: DrawLimits = {}): Pick<PageView, 'promotion'> {
  if (!promotion) return {};
  const { name, first_day, last_day } = promotion;
  return { promotion: { name, first_day, last_day, outside: limits.outside === true } };
}

export function rulesFieldsOf(
  lang: Lang,
  page: PageSettings,
  settings: Settings,
): Pick<PageView, 'free_entry' | 'rules_url' | 'rules_lang'> {
  const free_entry = { text: page[`free_entry_${lang}`], url: page[`free_entry_url_${lang}`] };
  const ofPromotion = settings.promotion?.rules ?? {};
  const urlIn = (of: Lang) => ofPromotion[of]?.url || page[`rules_url_${of}`];
  const own = urlIn(lang) || settings.rules_url;
  if (own) return { free_entry, rules_url: own };
  const other = langs.find(urlIn);
  return other ? { free_entry, rules_url: urlIn(other)!, rules_lang: other } : { free_entry };
}

function restrictionOf(code: PlayObstacle, settings: Settings, day: string): ShownRestriction {
  if (code !== 'daily_spin_limit_reached') return { code };
  const until = isoOf(startOfDay(addDays(day, 1)));
  return { code, until, limit: settings.daily_spin_limit };
}
