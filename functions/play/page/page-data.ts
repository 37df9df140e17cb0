import type { PageView } from './view.ts';
import type { WonTexts } from './won.ts';

/** What the server leaves in the page for its script. */
export type PageData = Omit<PageView, 'rules_url' | 'rules_lang' | 'page'> & {
  texts: WonTexts;
  /** The origins of pages that may frame this one, and are told what happens in it. */
  framers: string[];
};
