import type { Place } from '../../../shared/books/place.ts';
import type { Fairness } from '../../../shared/games/fairness.ts';
import type { Outcome } from '../../../shared/games/outcomes.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import type { PageSettings } from '../../../shared/organizations/page-settings.ts';
import type { Game, Hold, Lang, Obstacle } from '../../../shared/vocabulary.ts';

export type { Fairness, Lang, Outcome, Place };

export type Restriction = {
  code: Obstacle | Hold;
  since?: string;
  until?: string;
  limit?: number;
};

/**
 * Why a prize is not in the draw: for the rest of the day, or only until more of the day's cash is available; because all
 * of its stock was won, or all of the day's.
 */
export type OutFor = 'today' | 'later' | 'won' | 'won_today';

/** `available` is false for a prize that is out of the draw; `out_for` then says why. */
export type ListedPrize = Prize & { available: boolean; out_for?: OutFor };

/** All that the play page of one session shows; times are ISO 8601, cost and balance are tickets. */
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
  /** How many wins of the day the user has had, if these are all: the draw is one of tickets and entries. */
  wins_used_up?: number;
  prize_table_version?: string;
  commitment?: string;
  rules_url?: string;
  /** Of the rules, if they are there in another language than the page's alone. */
  rules_lang?: Lang;
  restriction?: Restriction;
  outcome?: Outcome;
  fairness?: Fairness;
  /** What the organization has set about the page; absent if nobody knows whose it is. */
  page?: PageSettings;
  /** Where the outcome stands in the book of its day, once that is closed. */
  place?: Place;
};
