import type { PageView } from './view.ts';
import type { WonTexts } from './won.ts';

export type PageData = Omit<PageView, 'free_entry' | 'rules_url' | 'rules_lang' | 'page'> & {
  texts: WonTexts;
  framers: string[];
};
