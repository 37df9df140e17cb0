import type { PageView } from './view.ts';
import type { WinTexts } from './won.ts';

type ServerOnly =
  | 'free_entry'
  | 'rules_url'
  | 'rules_lang'
  | 'promotion'
  | 'claim'
  | 'drawings'
  | 'drawn_prizes'
  | 'page';
export type ClientData = Omit<PageView, ServerOnly> & {
  texts: WinTexts;
  framers: string[];
};
