import type { PageView } from './view.ts';
import type { WonTexts } from './won.ts';

/** The data that the server embeds for the page's script. */
export type PageData = Omit<PageView, 'rules_url' | 'rules_lang' | 'page'> & {
  texts: WonTexts;
  /** Origins that may frame the page and get its messages. */
  framers: string[];
};
