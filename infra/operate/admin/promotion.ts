import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { changeSettings, oddsStandMessage } from '../../../shared/actions/change-settings.ts';
import { settingsAt, waitingChangesIn } from '../../../shared/actions/scheduled-changes.ts';
import { cashLimit, day, text } from '../../../shared/api/schemas.ts';
import { validate, withNumbersParsed } from '../../../shared/api/validate.ts';
import { fetchBoundedBody } from '../../../shared/bounded-request.ts';
import { isDuring, type Promotion, promotionTimes } from '../../../shared/games/promotion.ts';
import { alteredPromotion, type Settings } from '../../../shared/games/settings.ts';
import { readPromotionCash } from '../../../shared/games/stored-budgets.ts';
import type { Stage } from '../../../shared/stage.ts';
import { addDays, dayOf } from '../../../shared/time.ts';
import { type Lang, langs } from '../../../shared/vocabulary.ts';
import { Problem } from '../../common/problem.ts';
import { readOrganization } from './organization.ts';
import { parseFromTime, scheduleSettings } from './schedule-games.ts';

type When = { from?: string | undefined; isDry?: boolean | undefined };

// Short, because each book contains the settings, and KMS signs at most 4,096 bytes.
const url = z.url({ protocol: /^https?$/ }).check(z.maxLength(150), z.regex(/^[!-~]+$/));
const typedPromotion = z.object({
  name: text(1, 60),
  first_day: day,
  last_day: day,
  cash_limit_usd: z.optional(cashLimit),
  rules_en: z.optional(url),
  rules_es: z.optional(url),
});

export async function showPromotion(organizationId: string, now: number, at = now) {
  const { promotion } = settingsAt(await readOrganization(organizationId), at);
  if (!promotion) return { promotion };
  const { previous, ...shown } = promotion;
  const cash_won_usd = await readPromotionCash(organizationId, promotion.first_day);
  const state =
    dayOf(now) < promotion.first_day ? 'not_begun' : isDuring(promotion, dayOf(now)) ? 'running' : 'over';
  return { promotion: { ...shown, ...promotionTimes(promotion), state, cash_won_usd } };
}

export async function setPromotion(
  organizationId: string,
  typed: Record<string, unknown>,
  when: When,
  context: ActionContext & { stage: Stage },
) {
  const { rules, ...parsed } = parse(typed, context.now);
  const documents = await Promise.all(langs.map((lang) => documentOf(lang, rules[lang], context.stage)));
  const promotion = { ...parsed, rules: Object.fromEntries(documents.flat()) };
  return change(organizationId, promotion, when, context);
}

export const clearPromotion = (organizationId: string, when: When, context: ActionContext) =>
  change(organizationId, null, when, context);

function parse(typed: Record<string, unknown>, now: number) {
  const {
    rules_en: en,
    rules_es: es,
    ...parsed
  } = validate(typedPromotion, withNumbersParsed(typedPromotion, typed));
  const { first_day: firstDay, last_day: lastDay } = parsed;
  if (parsed.last_day < parsed.first_day)
    throw new Problem(`The last day, ${lastDay}, is before the first, ${firstDay}.`);
  if (parsed.last_day > lastYear) throw new Problem(`The last day, ${lastDay}, is too far ahead.`);
  if (parsed.last_day < dayOf(now)) throw new Problem(`The last day, ${lastDay}, has passed in New York.`);
  return { ...parsed, rules: { en, es } };
}

const lastYear = '2999';
const maxDocumentBytes = 20_000_000;

/** Reads the official rules at a URL, so that later changes of the document show. */
async function documentOf(lang: Lang, url: string | undefined, stage: Stage) {
  if (url === undefined) return [];
  if (stage !== 'local' && !url.startsWith('https:'))
    throw new Problem(`--rules-${lang} must be an https URL.`);
  const request = { headers: {}, answerMs: 20_000, maxBytes: maxDocumentBytes };
  const document = await fetchBoundedBody(new URL(url), request).catch((error: Error) => {
    throw new Problem(`The rules at ${url} can't be read: ${error.message}.`);
  });
  return [[lang, { url, sha256: createHash('sha256').update(document).digest('hex') }] as const];
}

async function change(
  organizationId: string,
  promotion: Promotion | null,
  { from, isDry }: When,
  context: ActionContext,
) {
  const at = from === undefined ? context.now : parseFromTime(from);
  const organization = await readOrganization(organizationId);
  const settings = settingsAt(organization, at);
  // A waiting change has the promotion before it as it was when the change was scheduled.
  if (settingsAt(organization, Number.POSITIVE_INFINITY).promotion !== settings.promotion)
    throw new Problem('A scheduled change sets or clears the promotion later: cancel it first.');
  const ended = [settings.promotion, settings.promotion?.previous];
  // Without the promotion, free spins of its last day would win what exceeds its cap.
  if (!promotion && ended.some((one) => one && dayOf(at) === addDays(one.last_day, 1)))
    throw new Problem(`Free spins of the last day run a day later: clear the promotion after ${dayOf(at)}.`);
  const changes = { promotion: promotion && withPrevious(promotion, settings, at) };
  const altered = alteredPromotion(settings, changes, at);
  const waiting = waitingChangesIn(organization).find(
    ({ from, changes: later }) =>
      Date.parse(from) > at && alteredPromotion({ ...settings, promotion }, later, Date.parse(from)),
  );
  const odds = waiting && `Change ${waiting.sequence} of odds waits: cancel it, or add --despite-rules.`;
  const warning = altered ? oddsStandMessage(altered) : odds;
  if (isDry) return { dry_run: true, ...(warning && { warning }), ...changes };
  if (odds && !context.despiteRules) throw new Problem(odds);
  if (from !== undefined) return scheduleSettings(organizationId, { from: at, changes }, context);
  await changeSettings(organizationId, changes, context);
  return showPromotion(organizationId, context.now);
}

/** Keeps the period of the promotion before, because free spins of its last day run on the day after. */
function withPrevious(promotion: Promotion, { promotion: before }: Settings, at: number): Promotion {
  if (!before) return promotion;
  const { first_day, last_day, cash_limit_usd, previous } = before;
  const isReplaced = dayOf(at) < first_day || promotion.first_day === first_day;
  const cap = cash_limit_usd === undefined ? {} : { cash_limit_usd };
  const ended = isReplaced ? previous : { first_day, last_day, ...cap };
  if (ended && (promotion.first_day <= ended.last_day || dayOf(at) <= ended.last_day))
    throw new Problem(
      `A promotion has begun and ends on ${ended.last_day}: the next one can begin, and be set (--from), on the day after.`,
    );
  return { ...promotion, ...(ended && { previous: ended }) };
}
