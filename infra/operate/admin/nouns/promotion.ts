import { langs } from '../../../../shared/vocabulary.ts';
import { command, org } from '../command.ts';
import { clearPromotion, setPromotion, showPromotion } from '../promotion.ts';
import { readPromotionFiling } from '../promotion-filing.ts';
import { parseFromTime } from '../schedule-games.ts';
import { despiteRulesFlag, timeHint } from './game.ts';

const day = 'YYYY-MM-DD, in New York';
const rulesOptions = Object.fromEntries(
  langs.map((lang) => [`rules-${lang}`, 'URL; its document is read, and its SHA-256 stored']),
) as Record<`rules-${(typeof langs)[number]}`, string>;

export const verbs = {
  show: command({
    effect: 'reads',
    summary:
      'Show the promotion and the cash won in it. --filing lists what a filing asks for: prizes, odds, total value, dates, and what is missing before launch; have a lawyer confirm it. --from shows one that is scheduled',
    required: { org },
    optional: { from: timeHint },
    flags: ['filing'],
    async run({ org, from, filing }, { now }) {
      const at = from === undefined ? now : parseFromTime(from);
      return { print: filing ? await readPromotionFiling(org, at) : await showPromotion(org, now, at) };
    },
  }),
  set: command({
    effect: 'changes',
    summary:
      'Set the promotion, in place of another: outside its days, plays and free spins win only tickets; a free spin counts on the day of its order. Once it has begun, its odds stand: a change of the promotion, a table, a cost or a limit needs --despite-rules',
    required: { org, name: 'name', 'first-day': day, 'last-day': day },
    optional: {
      'cash-limit': 'USD; the most cash of the whole period, counted from now on',
      ...rulesOptions,
      from: timeHint,
    },
    fields: { cash_limit_usd: 'cash-limit' },
    flags: ['dry-run', despiteRulesFlag],
    async run(values, given) {
      const { org, name, from, 'dry-run': isDry, [despiteRulesFlag]: despiteRules } = values;
      const { 'first-day': first_day, 'last-day': last_day, 'cash-limit': cash_limit_usd } = values;
      const rules = Object.fromEntries(langs.map((lang) => [`rules_${lang}`, values[`rules-${lang}`]]));
      const typed = { name, first_day, last_day, cash_limit_usd, ...rules };
      return { print: await setPromotion(org, typed, { from, isDry }, { ...given, despiteRules }) };
    },
  }),
  clear: command({
    effect: 'changes',
    summary: 'Remove the promotion: all prizes can then be won at any time',
    required: { org },
    optional: { from: timeHint },
    flags: ['dry-run', despiteRulesFlag],
    run: async ({ org, from, 'dry-run': isDry, [despiteRulesFlag]: despiteRules }, given) => ({
      print: await clearPromotion(org, { from, isDry }, { ...given, despiteRules }),
    }),
  }),
};
