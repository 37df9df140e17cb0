import type { Drawing, EntryType, Game, Lang, Prize } from '../../../shared/client/client.ts';

export const people = {
  ana: { name: 'Ana Morales', country: 'MX' },
  luis: { name: 'Luis Peralta', country: 'DO' },
  rosa: { name: 'Rosa Ixchel', country: 'GT' },
} as const;
export type PersonId = keyof typeof people;

export const recipients = {
  mama: { name: { en: 'Mom', es: 'Mamá' }, country: 'MX' },
  abuela: { name: { en: 'Grandma Inés', es: 'Abuela Inés' }, country: 'DO' },
  diego: { name: { en: 'Diego', es: 'Diego' }, country: 'GT' },
} as const;
export type RecipientId = keyof typeof recipients;

export const usdAmounts = [20, 50, 100, 200] as const;
export const ticketsFor = (usd: number): number => usd / 10;

export const costs: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

export type UserAccount = {
  person: PersonId;
  tickets: number;
  entries: Record<EntryType, number>;
  winnings_usd: number;
  waiting_spins: number;
  /** Prizes of free spins that ran since the sign-in, newest first. */
  free_prizes: Prize[];
};

export type Activity = { id: string; at: string } & (
  | { kind: 'credit'; description: string; tickets: number }
  | { kind: 'cost'; tickets: number }
  | { kind: 'regular' | 'amoe'; prize: Prize }
);

/**
 * An API request of the host app with its response: `code` is TypeScript, and `curl` a command unless it would contain
 * a secret.
 */
export type ApiCall = { code: string; curl?: string; request: string; status?: number; answer?: unknown };

export type PanelStep = { id: number; at: string; title: string } & (
  | { kind: 'calls'; calls: ApiCall[] }
  | {
      kind: 'webhook';
      isVerified: boolean;
      note: string;
      headers: Record<string, string>;
      payload: unknown;
    }
);

export type ServerEvent =
  | { type: 'hello'; api: string; organization_id: string; person: PersonId | null }
  | { type: 'account'; account: UserAccount }
  | { type: 'step'; step: PanelStep }
  | { type: 'won'; prize: Prize };

export type ActionResult = {
  url?: string;
  prizes?: Prize[];
  activity?: Activity[];
  /** A drawing's public list and result. */
  drawn?: Omit<Drawing, 'winners'> & { winner: string | undefined };
  /** Error code of the API if the API refused the action. */
  refused?: string;
};

export type { EntryType, Game, Lang, Prize };
