/** What the demo's page and its server both know: the shop's own data, and what the page is told. */
import type { EntryType, Game, Lang, Prize } from '../../../shared/client/client.ts';

/** Who can sign in, by the names of the host's own: what the service gets as `external_reference`. */
export const people = {
  ana: { name: 'Ana Morales', country: 'MX' },
  luis: { name: 'Luis Peralta', country: 'DO' },
  rosa: { name: 'Rosa Ixchel', country: 'GT' },
} as const;
export type Person = keyof typeof people;

/** To whom money can be sent. */
export const recipients = {
  mama: { name: { en: 'Mom', es: 'Mamá' }, country: 'MX' },
  abuela: { name: { en: 'Grandma Inés', es: 'Abuela Inés' }, country: 'DO' },
  diego: { name: { en: 'Diego', es: 'Diego' }, country: 'GT' },
} as const;
export type Recipient = keyof typeof recipients;

/** What can be sent, in USD. */
export const amounts = [20, 50, 100, 200] as const;
/** The tickets that a transfer earns: this is the host's own rule. */
export const ticketsFor = (usd: number): number => usd / 10;

/** What the games cost in tickets, as host and operator have agreed. */
export const costs: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

/** What the host app shows to the user who is signed in. */
export type Account = {
  person: Person;
  tickets: number;
  entries: Record<EntryType, number>;
  winnings_usd: number;
  waiting_spins: number;
  /** What free spins have come to since the sign-in, the newest first. */
  free_prizes: Prize[];
};

/** One line of a user's activity: what the host credited, what a game cost, or what a play or a free spin won. */
export type Activity = { id: string; at: string } & (
  | { kind: 'credit'; description: string; tickets: number }
  | { kind: 'cost'; tickets: number }
  | { kind: 'regular' | 'amoe'; prize: Prize }
);

/** A request to the API as the host made it: its line of TypeScript, the same for a terminal, and the answer. */
export type Call = { code?: string; curl: string; request: string; status?: number; answer?: unknown };

/** What the developer's panel shows, one below the other. */
export type Step = { id: number; at: string; title: string } & (
  | { kind: 'calls'; calls: Call[] }
  | {
      kind: 'webhook';
      isVerified: boolean;
      /** What the host did with it. */
      note: string;
      headers: Record<string, string>;
      payload: unknown;
    }
);

/** What the server tells the page without being asked. */
export type Told =
  | { type: 'hello'; api: string; organization_id: string; person: Person | null }
  | { type: 'account'; account: Account }
  | { type: 'step'; step: Step }
  | { type: 'won'; prize: Prize };

/** What comes of what the page asks for. */
export type Done = {
  url?: string;
  prizes?: Prize[];
  activity?: Activity[];
  /** A code of the API, if it refused. */
  refused?: string;
};

export type { EntryType, Game, Lang, Prize };
