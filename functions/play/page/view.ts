import type { Game, Prize } from '../../../shared/games/prize-tables.ts';

export type Lang = 'en' | 'es';

export type Outcome = {
  id: string;
  user_id: string;
  play_type: 'regular' | 'amoe';
  prize: Record<string, number>;
  timestamp: string;
  result_effective_date: string;
};

/** What anyone needs to draw the prize again, once it may be known. */
export type Fairness = {
  commitment: string;
  server_seed: string;
  client_seed: string;
  prize_table_version: string;
  prize_id: string;
  cash_left_usd: number | null;
  tickets_only: boolean;
};

export type Restriction = {
  code: 'insufficient_tickets' | 'daily_spin_limit_reached';
  since?: string;
  until?: string;
  limit?: number;
};

/** `available` is false for a prize that is out of the draw today. */
export type ListedPrize = Prize & { available: boolean };

/** All that the play page of one session shows; times are ISO 8601, cost and balance are tickets. */
export type PageView = {
  lang: Lang;
  game: Game;
  state: 'ready' | 'refused' | 'played' | 'expired' | 'unknown';
  now: string;
  expires_at?: string;
  cost?: number;
  balance?: number;
  prizes?: ListedPrize[];
  tickets_only?: boolean;
  prize_table_version?: string;
  commitment?: string;
  rules_url?: string;
  restriction?: Restriction;
  outcome?: Outcome;
  fairness?: Fairness;
};
