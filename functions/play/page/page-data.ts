import type { PageView } from './view.ts';
import type { WonTexts } from './won.ts';

/** The data that the server embeds for the page's script. */
export type PageData = Omit<PageView, 'rules_url' | 'rules_lang' | 'page'> & {
  texts: WonTexts;
  /** The origins that may frame the page and receive its messages. */
  framers: string[];
};
