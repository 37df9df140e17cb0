import { maxFrameOrigins } from '../../../../shared/api/page-fields.ts';
import { langs } from '../../../../shared/vocabulary.ts';
import { command, org } from '../command.ts';
import { setPageSettings, showPageSettings } from '../page.ts';

const optionsOfLangs = Object.fromEntries(
  langs.flatMap((lang) => [
    [`rules-url-${lang}`, 'https URL|none'],
    [`free-entry-${lang}`, 'text|none; how to enter for free'],
    [`free-entry-url-${lang}`, 'https URL|none'],
  ]),
) as Record<`${'rules-url' | 'free-entry' | 'free-entry-url'}-${(typeof langs)[number]}`, string>;

export const verbs = {
  show: command({
    effect: 'reads',
    summary: 'Show the play page settings of an organization; an empty setting has the default',
    required: { org },
    run: async (values) => ({ print: await showPageSettings(values.org) }),
  }),
  set: command({
    effect: 'changes',
    summary:
      'Set the play page’s return URL, the origins that may frame it and receive its messages, its rules and free entry by language, and its brand. Colors with too little contrast are refused; the error names the nearest readable ones. --dry-run changes nothing',
    required: { org },
    optional: {
      'return-url': 'https URL|app link|none',
      'frame-origins': `up to ${maxFrameOrigins}, separated by commas|none`,
      ...optionsOfLangs,
      'brand-name': 'name|none',
      'brand-logo': 'https URL|image file|none',
      'brand-accent': '#rrggbb|none; color of buttons',
      'brand-accent-text': '#rrggbb|none',
      'brand-background': '#rrggbb|none',
      'brand-text': '#rrggbb|none',
    },
    flags: ['dry-run'],
    run: async ({ org, 'dry-run': isDry, ...typed }, { stage, ...context }) => {
      const settings = Object.entries(typed).map(([name, value]) => [name.replaceAll('-', '_'), value]);
      return { print: await setPageSettings(org, Object.fromEntries(settings), context, isDry) };
    },
  }),
};
