import type { Place } from '../../../shared/books/place.ts';
import type { Fairness } from '../../../shared/games/fairness.ts';
import type { Outcome } from '../../../shared/games/outcomes.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import type { PageSettings } from '../../../shared/organizations/page-settings.ts';
import type { Game, Hold, Lang, Obstacle } from '../../../shared/vocabulary.ts';

export type { Fairness, Lang, Outcome, Place };

export type Restriction = {
  code: Obstacle | Hold;
  until?: string;
  limit?: number;
};

/**
 * Why a prize is not in the draw. `today`: the day's cash is used up. `later`: more of the day's cash becomes
 * available later. `won`: its stock is used up. `won_today`: its stock for the day is used up.
 */
export type OutFor = 'today' | 'later' | 'won' | 'won_today';

/** A prize of the table. `available` tells whether it is in the draw, and `out_for` why not. */
export type ListedPrize = Prize & { available: boolean; out_for?: OutFor };

/** Everything the play page of a session shows. Times are ISO 8601; cost and balance are tickets. */
export type PageView = {
  lang: Lang;
  game: Game;
  state: 'ready' | 'refused' | 'played' | 'voided' | 'expired' | 'unknown';
  now: string;
  expires_at?: string;
  cost?: number;
  balance?: number;
  prizes?: ListedPrize[];
  tickets_only?: boolean;
  /**
   * The daily limit of wins, present if the user has reached it: only tickets and entries are in the draw.
   */
  wins_used_up?: number;
  prize_table_version?: string;
  commitment?: string;
  rules_url?: string;
  /** Language of the rules, if they exist only in the other language. */
  rules_lang?: Lang;
  restriction?: Restriction;
  outcome?: Outcome;
  fairness?: Fairness;
  /** The organization's page settings; absent for an unknown URL. */
  page?: PageSettings;
  /** The outcome's place in the book of its day, once the day is closed. */
  place?: Place;
};
