/** Data and types that the demo's page and server share. */
import type { EntryType, Game, Lang, Prize } from '../../../shared/client/client.ts';

/** Demo users, by the external reference of the host app. */
export const people = {
  ana: { name: 'Ana Morales', country: 'MX' },
  luis: { name: 'Luis Peralta', country: 'DO' },
  rosa: { name: 'Rosa Ixchel', country: 'GT' },
} as const;
export type Person = keyof typeof people;

/** Recipients of transfers. */
export const recipients = {
  mama: { name: { en: 'Mom', es: 'Mamá' }, country: 'MX' },
  abuela: { name: { en: 'Grandma Inés', es: 'Abuela Inés' }, country: 'DO' },
  diego: { name: { en: 'Diego', es: 'Diego' }, country: 'GT' },
} as const;
export type Recipient = keyof typeof recipients;

/** Amounts of transfers in USD. */
export const amounts = [20, 50, 100, 200] as const;
/** Returns the tickets that a transfer earns. Each host sets its own rule. */
export const ticketsFor = (usd: number): number => usd / 10;

/** Cost of a game in tickets, as the operator has set it. */
export const costs: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

/** Account data that the app shows. */
export type Account = {
  person: Person;
  tickets: number;
  entries: Record<EntryType, number>;
  winnings_usd: number;
  waiting_spins: number;
  /** Results of free spins since the sign-in, newest first. */
  free_prizes: Prize[];
};

/**
 * A line in the user's activity: a credit by the host, the cost of a game, or the prize of a play or free
 * spin.
 */
export type Activity = { id: string; at: string } & (
  | { kind: 'credit'; description: string; tickets: number }
  | { kind: 'cost'; tickets: number }
  | { kind: 'regular' | 'amoe'; prize: Prize }
);

/** An API request of the host app: as TypeScript and as curl, with its response. */
export type Call = { code?: string; curl: string; request: string; status?: number; answer?: unknown };

/** An entry in the developer panel. */
export type Step = { id: number; at: string; title: string } & (
  | { kind: 'calls'; calls: Call[] }
  | {
      kind: 'webhook';
      isVerified: boolean;
      /** What the host app did with the webhook. */
      note: string;
      headers: Record<string, string>;
      payload: unknown;
    }
);

/** An event that the server sends to the page. */
export type ServerEvent =
  | { type: 'hello'; api: string; organization_id: string; person: Person | null }
  | { type: 'account'; account: Account }
  | { type: 'step'; step: Step }
  | { type: 'won'; prize: Prize };

/** Result of an action. */
export type ActionResult = {
  url?: string;
  prizes?: Prize[];
  activity?: Activity[];
  /** Error code of the API, if it refused the action. */
  refused?: string;
};

export type { EntryType, Game, Lang, Prize };
