import type { PageView } from './view.ts';
import type { WonTexts } from './won.ts';

/** Data that the server embeds in the play page for the page's script. */
export type PageData = Omit<PageView, 'rules_url' | 'rules_lang' | 'page'> & {
  texts: WonTexts;
  /** Origins of the websites that may frame the play page and receive its messages. */
  framers: string[];
};
