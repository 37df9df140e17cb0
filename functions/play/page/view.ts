import type { BookProof } from '../../../shared/books/proof.ts';
import type { OpenDrawing } from '../../../shared/drawings/drawings.ts';
import type { Fairness } from '../../../shared/games/fairness.ts';
import type { Outcome } from '../../../shared/games/outcomes.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import type { PageSettings } from '../../../shared/organizations/page-settings.ts';
import type { EntryType, Game, Hold, Lang, PlayObstacle } from '../../../shared/vocabulary.ts';

export type { BookProof, Fairness, Lang, Outcome };

export type ShownRestriction = {
  code: PlayObstacle | Hold;
  until?: string;
  limit?: number;
};

export type OutReason =
  /** Any other reason, such as the day's cash or the user's daily limit of wins. */
  | 'today'
  /** Cash will be released later today. */
  | 'later'
  /** The play is a test with a forced result. The wheel still shows this prize. */
  | 'test'
  | 'won'
  | 'won_today';

/** `out_for` says why the prize is not in the draw. */
export type ListedPrize = Prize & { available: boolean; out_for?: OutReason };

export type ShownDrawing = Pick<OpenDrawing, 'prize' | 'closes' | 'draws_at' | 'root'>;

/** Times are ISO 8601; `cost` and `balance` are in tickets. */
export type PageView = {
  lang: Lang;
  game: Game;
  /** `preview`: the page shows an organization's settings, has no user, and cannot be played. */
  state: 'ready' | 'refused' | 'played' | 'voided' | 'expired' | 'unknown' | 'preview';
  now: string;
  expires_at?: string;
  cost?: number;
  balance?: number;
  prizes?: ListedPrize[];
  tickets_only?: boolean;
  /** If `outside`, only tickets can be won, because the promotion has not begun or is over. */
  promotion?: { name: string; first_day: string; last_day: string; outside: boolean };
  wins_used_up?: number;
  prize_table_version?: string;
  commitment?: string;
  rules_url?: string;
  /** Language of the rules, if it differs from the page's language. */
  rules_lang?: Lang;
  /** How to enter without a purchase, in the host's words. */
  free_entry?: { text: string; url: string };
  restriction?: ShownRestriction;
  outcome?: Outcome;
  fairness?: Fairness;
  page?: PageSettings;
  /** The state of the won prize after its last step. Absent while it is open. */
  claim?: { state: 'held' | 'delivered' | 'forfeited'; delivered_on?: string | undefined };
  /** The user's entries by type, with the drawings of the type that have not been drawn. */
  drawings?: { type: EntryType; entries: number; open: ShownDrawing[] }[];
  /** Prizes of drawings that the user can claim; `prize` is the label by language. */
  drawn_prizes?: { prize: Record<string, number | string>; claim_by: string; state: 'open' | 'held' }[];
  /** Proof that the day's book contains the outcome. Absent until the book is closed. */
  place?: BookProof;
};
