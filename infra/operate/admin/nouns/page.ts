import { langs } from '../../../../shared/vocabulary.ts';
import { command } from '../command.ts';
import { setPage, showPage } from '../page.ts';
import { mostOrigins } from '../page-schema.ts';

const org = 'organization id';
const rulesOptions = Object.fromEntries(
  langs.map((lang) => [`rules-url-${lang}`, 'https URL|none']),
) as Record<`rules-url-${(typeof langs)[number]}`, string>;

export const verbs = {
  show: command({
    effect: 'reads',
    summary: 'Show what an organization has set about its play page; what is empty is as usual',
    required: { org },
    run: async (values) => ({ print: await showPage(values.org) }),
  }),
  set: command({
    effect: 'changes',
    summary:
      'Set where the play page leads back to, who may frame it and is told what happens in it, its rules by language, and the brand it shows. Colours that could not be read are refused, with the nearest that could; a dry run changes nothing',
    required: { org },
    optional: {
      'return-url': 'https URL|link of an app|none',
      'frame-origins': `up to ${mostOrigins}, with commas|none`,
      ...rulesOptions,
      'brand-name': 'name|none',
      'brand-logo': 'https URL|image file|none',
      'brand-accent': '#rrggbb|none; of buttons',
      'brand-accent-text': '#rrggbb|none',
      'brand-background': '#rrggbb|none',
      'brand-text': '#rrggbb|none',
    },
    flags: ['dry-run'],
    run: async ({ org, 'dry-run': isDry, ...typed }, { stage, ...by }) => {
      const settings = Object.entries(typed).map(([name, value]) => [name.replaceAll('-', '_'), value]);
      return { print: await setPage(org, Object.fromEntries(settings), by, isDry) };
    },
  }),
};
