import type { PageView } from './view.ts';
import type { WonTexts } from './won.ts';

type ServerOnly =
  | 'free_entry'
  | 'rules_url'
  | 'rules_lang'
  | 'promotion'
  | 'claim'
  | 'drawings'
  | 'drawn_prizes'
  | 'page';
export type PageData = Omit<PageView, ServerOnly> & {
  texts: WonTexts;
  framers: string[];
};
