/** What the host app's page can ask its server for, and how the server does it with the API. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { IncentivesError, type TicketTransaction } from '../../../shared/client/client.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../../shared/time.ts';
import { games, langs } from '../../../shared/vocabulary.ts';
import type { Kept } from './accounts.ts';
import type { Host } from './host.ts';
import { recordingFetch } from './recorded.ts';
import { type Activity, amounts, type Call, type Done, people, recipients, ticketsFor } from './shown.ts';

const lang = z.enum(langs);
const spins = z.int().check(z.gte(1), z.lte(10));

/** Who signs in; nobody signs out. */
export const session = z.object({
  person: z.nullable(z.enum(Object.keys(people) as (keyof typeof people)[])),
});

/** Something that a page asks for. */
export const action = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('send'),
    /** The page's own name for this transfer: one that is sent twice is one. */
    transfer: z.uuid(),
    to: z.enum(Object.keys(recipients) as (keyof typeof recipients)[]),
    usd: z.literal([...amounts]),
    lang,
  }),
  z.object({ do: z.literal('play'), game: z.enum(games), lang }),
  z.object({ do: z.literal('jackpot'), lang }),
  z.object({ do: z.literal('queue'), request: z.uuid(), spins }),
  z.object({ do: z.literal('activity') }),
  z.object({ do: z.literal('guest'), request: z.uuid(), spins }),
  z.object({ do: z.literal('midnight') }),
  z.object({ do: z.literal('limit'), on: z.boolean() }),
]);
export type Action = z.infer<typeof action>;

type Of<D extends Action['do']> = Extract<Action, { do: D }>;
type ByUser = 'send' | 'play' | 'jackpot' | 'queue' | 'activity';

/** Does what the page of an account, or of nobody, asks for; undefined if somebody would have to be signed in. */
export async function act(asked: Action, host: Host, kept: Kept | undefined): Promise<Done | undefined> {
  const run = actions[asked.do] as (asked: Action, host: Host, kept: Kept | undefined) => Promise<Done>;
  if (!kept && !(asked.do in open)) return undefined;
  try {
    return await run(asked, host, kept);
  } catch (error) {
    if (error instanceof IncentivesError) return { refused: error.code };
    throw error;
  }
}

const byUser: { [D in ByUser]: (asked: Of<D>, host: Host, kept: Kept) => Promise<Done> } = {
  async send({ transfer, to, usd, lang }, host, kept) {
    const name = recipients[to].name[lang];
    const amount = ticketsFor(usd);
    const reply = await host.step(`A transfer of $${usd} earns ${amount} tickets`, (incentives) =>
      incentives.tickets.credit({
        user_id: kept.userId,
        amount,
        description: lang === 'es' ? `Envío de $${usd} a ${name}` : `$${usd} sent to ${name}`,
        idempotency_key: `transfer-${transfer}`,
      }),
    );
    kept.shown.tickets = reply.new_ticket_balance;
    host.changed(kept);
    return {};
  },

  play: ({ game, lang }, { step }, { userId: user_id }) =>
    step(`The user opens a game: ${game}`, async (incentives) => {
      const { playable, restrictions } = await incentives.games.checkEligibility({ user_id });
      if (!playable) return { refused: restrictions[0] ?? '' };
      const { url } = await incentives.games.play({ user_id, game, lang });
      return { url };
    }),

  jackpot: ({ lang }, { step }, { userId: user_id }) =>
    step('A game that wins the jackpot, for tests', async (incentives) => {
      const { url } = await incentives.debug.play({ user_id, lang, result: 'jackpot' });
      return { url };
    }),

  async queue({ spins, request }, host, kept) {
    const reply = await host.step(`The user asks for ${spins} free spins`, (incentives) =>
      incentives.amoe.queue({
        user_id: kept.userId,
        num_of_spins: spins,
        idempotency_key: `free-${request}`,
      }),
    );
    kept.shown.waiting_spins = reply.total_queued_spins;
    host.changed(kept);
    return {};
  },

  activity: (_, { step }, { userId: user_id }) =>
    step('The user looks at the activity', async (incentives) => {
      const { transactions } = await incentives.tickets.history({ user_id, limit: 30 });
      const { items } = await incentives.games.history({ user_id, limit: 30 });
      const prizes = items.map(
        ({ id, timestamp: at, play_type: kind, prize }): Activity => ({ id, at, kind, prize }),
      );
      return {
        activity: [...transactions.flatMap(changeOf), ...prizes].sort((a, b) => (a.at < b.at ? 1 : -1)),
      };
    }),
};

/** A change of tickets as a line; none of a prize, which its outcome tells. */
function changeOf({ transaction_id: id, date_created: at, ...transaction }: TicketTransaction): Activity[] {
  const { description, outcome_id, amount: tickets } = transaction;
  if (outcome_id === undefined) return [{ kind: 'credit', id, at, description, tickets }];
  return tickets < 0 ? [{ kind: 'cost', id, at, tickets }] : [];
}

const open: { [D in Exclude<Action['do'], ByUser>]: (asked: Of<D>, host: Host) => Promise<Done> } = {
  guest: ({ spins, request }, { step }) =>
    step(`Somebody without an account plays ${spins} free spins`, async (incentives) => {
      const { user_id } = await incentives.users.create({ external_reference: `guest-${randomUUID()}` });
      const { items } = await incentives.amoe.guestPlay({
        user_id,
        num_of_spins: spins,
        idempotency_key: `guest-${request}`,
      });
      return { prizes: items.map(({ prize }) => prize) };
    }),

  midnight: (_, { step, api }) =>
    step('It is midnight in New York, on the local stage', async (_incentives, calls) => {
      const call: Call = { curl: '', request: '' };
      calls.push(call);
      const now = isoOf(startOfDay(addDays(dayOf(Date.now()), 1)));
      const body = JSON.stringify({ now });
      await recordingFetch(call)(`${api.baseUrl}/local/schedules/spin-run`, { method: 'POST', body });
      return {};
    }),

  limit: ({ on }, { step }) =>
    step(`The daily limit of plays is switched ${on ? 'on' : 'off'}, for tests`, async (incentives) => {
      await incentives.debug.dailySpinLimit({ on });
      return {};
    }),
};

const actions = { ...byUser, ...open };
