/** Data and types that the demo's page and server share. */
import type { EntryType, Game, Lang, Prize } from '../../../shared/client/client.ts';

/** Demo users. The keys are part of the users' external references. */
export const people = {
  ana: { name: 'Ana Morales', country: 'MX' },
  luis: { name: 'Luis Peralta', country: 'DO' },
  rosa: { name: 'Rosa Ixchel', country: 'GT' },
} as const;
export type Person = keyof typeof people;

export const recipients = {
  mama: { name: { en: 'Mom', es: 'Mamá' }, country: 'MX' },
  abuela: { name: { en: 'Grandma Inés', es: 'Abuela Inés' }, country: 'DO' },
  diego: { name: { en: 'Diego', es: 'Diego' }, country: 'GT' },
} as const;
export type Recipient = keyof typeof recipients;

/** Amounts in USD that demo users can send. */
export const amounts = [20, 50, 100, 200] as const;
/** Returns the number of tickets that a money transfer earns. Each host sets its own rule for this. */
export const ticketsFor = (usd: number): number => usd / 10;

/** Cost of each game in tickets, equal to the operator's setting for the demo's organization. */
export const costs: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

/** Data of a user's account that the demo's host app shows. */
export type Account = {
  person: Person;
  tickets: number;
  entries: Record<EntryType, number>;
  winnings_usd: number;
  waiting_spins: number;
  /** Prizes of free spins that ran since the sign-in, newest first. */
  free_prizes: Prize[];
};

/** A line in the user's activity list: a credit, a game's cost, or a prize. */
export type Activity = { id: string; at: string } & (
  | { kind: 'credit'; description: string; tickets: number }
  | { kind: 'cost'; tickets: number }
  | { kind: 'regular' | 'amoe'; prize: Prize }
);

/**
 * An API request of the host app, as TypeScript (`code`) and, unless it contains a secret, as a curl command, with the
 * response.
 */
export type Call = { code: string; curl?: string; request: string; status?: number; answer?: unknown };

/** An entry in the developer panel: API requests or a webhook call. */
export type Step = { id: number; at: string; title: string } & (
  | { kind: 'calls'; calls: Call[] }
  | {
      kind: 'webhook';
      isVerified: boolean;
      /** Description of how the host app handled the webhook call. */
      note: string;
      headers: Record<string, string>;
      payload: unknown;
    }
);

/** A server-sent event from the demo's server to its page. */
export type ServerEvent =
  | { type: 'hello'; api: string; organization_id: string; person: Person | null }
  | { type: 'account'; account: Account }
  | { type: 'step'; step: Step }
  | { type: 'won'; prize: Prize };

/** Result of an action. Each action sets only the fields that it needs. */
export type ActionResult = {
  url?: string;
  prizes?: Prize[];
  activity?: Activity[];
  /** Error code of the API if the API refused the action. */
  refused?: string;
};

export type { EntryType, Game, Lang, Prize };
