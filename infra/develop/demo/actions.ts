import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { IncentivesError, type TicketTransaction } from '../../../shared/client/client.ts';
import { games, langs } from '../../../shared/vocabulary.ts';
import { Problem } from '../../common/problem.ts';
import { applyBalance, type StoredAccount } from './accounts.ts';
import type { HostApp } from './host.ts';
import { type ActionResult, type Activity, people, recipients, ticketsFor, usdAmounts } from './model.ts';

const lang = z.enum(langs);
const spins = z.int().check(z.gte(1), z.lte(10));

/** `person: null` signs out. */
export const sessionSchema = z.object({
  person: z.nullable(z.enum(Object.keys(people) as (keyof typeof people)[])),
});

export const actionSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('send'),
    /** The page creates the id, so that a repeated request earns tickets only once. */
    transfer: z.uuid(),
    to: z.enum(Object.keys(recipients) as (keyof typeof recipients)[]),
    usd: z.literal([...usdAmounts]),
    lang,
  }),
  z.object({ do: z.literal('play'), game: z.enum(games), lang }),
  z.object({ do: z.literal('jackpot'), lang }),
  z.object({ do: z.literal('queue'), request: z.uuid(), spins, game: z.enum(games) }),
  z.object({ do: z.literal('activity') }),
  z.object({ do: z.literal('guest'), request: z.uuid(), spins }),
  z.object({ do: z.literal('spin-run') }),
  z.object({ do: z.literal('limit'), on: z.boolean() }),
  z.object({ do: z.literal('draw') }),
]);
export type DemoAction = z.infer<typeof actionSchema>;

type ActionOf<D extends DemoAction['do']> = Extract<DemoAction, { do: D }>;
type UserAction = 'send' | 'play' | 'jackpot' | 'queue' | 'activity';

export async function runAction(
  action: DemoAction,
  host: HostApp,
  stored: StoredAccount | undefined,
): Promise<ActionResult | undefined> {
  const run = actions[action.do] as (
    action: DemoAction,
    host: HostApp,
    stored: StoredAccount | undefined,
  ) => Promise<ActionResult>;
  if (!stored && !(action.do in publicActions)) return undefined;
  try {
    return await run(action, host, stored);
  } catch (error) {
    if (error instanceof IncentivesError) return { refused: error.code };
    if (error instanceof Problem) return { refused: error.message };
    throw error;
  }
}

const userActions: {
  [D in UserAction]: (action: ActionOf<D>, host: HostApp, stored: StoredAccount) => Promise<ActionResult>;
} = {
  async send({ transfer, to, usd, lang }, host, stored) {
    const name = recipients[to].name[lang];
    const amount = ticketsFor(usd);
    const reply = await host.step(`A transfer of $${usd} earns ${amount} tickets`, (incentives) =>
      incentives.tickets.credit({
        user_id: stored.userId,
        amount,
        description: lang === 'es' ? `Envío de $${usd} a ${name}` : `$${usd} sent to ${name}`,
        idempotency_key: `transfer-${transfer}`,
      }),
    );
    applyBalance(stored, reply.sequence, 'tickets', reply.new_ticket_balance);
    host.changed(stored);
    return {};
  },

  play: ({ game, lang }, { step }, { userId: user_id }) =>
    step(`The user opens a game: ${game}`, async (incentives) => {
      const { playable, restrictions, url } = await incentives.games.play({ user_id, game, lang });
      return playable ? { url } : { refused: restrictions.find((one) => one !== 'tickets_only') ?? '' };
    }),

  jackpot: ({ lang }, { step }, { userId: user_id }) =>
    step('Test: open a game that wins the jackpot', async (incentives) => {
      const { url } = await incentives.debug.play({ user_id, lang, result: 'jackpot' });
      return { url };
    }),

  async queue({ spins, game, request }, host, stored) {
    const reply = await host.step(`The user requests ${spins} free spins`, (incentives) =>
      incentives.amoe.queue({
        user_id: stored.userId,
        num_of_spins: spins,
        game,
        idempotency_key: `free-${request}`,
      }),
    );
    stored.account.waiting_spins = reply.total_queued_spins;
    host.changed(stored);
    return {};
  },

  activity: (_, { step }, { userId: user_id }) =>
    step('The user opens the activity screen', async (incentives) => {
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

/** Returns no entry for a ticket prize, because its outcome is already in the activity list. */
function changeOf({ transaction_id: id, date_created: at, ...transaction }: TicketTransaction): Activity[] {
  const { description, outcome_id, amount: tickets } = transaction;
  if (outcome_id === undefined) return [{ kind: 'credit', id, at, description, tickets }];
  return tickets < 0 ? [{ kind: 'cost', id, at, tickets }] : [];
}

const publicActions: {
  [D in Exclude<DemoAction['do'], UserAction>]: (action: ActionOf<D>, host: HostApp) => Promise<ActionResult>;
} = {
  guest: ({ spins, request }, { step }) =>
    step(`A guest plays ${spins} free spins`, async (incentives) => {
      const { user_id } = await incentives.users.create({ external_reference: `guest-${randomUUID()}` });
      const { items } = await incentives.amoe.guestPlay({
        user_id,
        num_of_spins: spins,
        idempotency_key: `guest-${request}`,
      });
      return { prizes: items.map(({ prize }) => prize) };
    }),

  'spin-run': (_, { step }) =>
    step('Test: run the queued free spins now', async (incentives) => {
      await incentives.debug.spinRun();
      return {};
    }),

  /** Draws the truck as an operator does: closes the list now, and draws by the beacon's next round. */
  async draw(_, { api: { organizationId }, step }) {
    // Loaded on demand, because nothing else in the demo needs operators' code.
    const { announce } = await import('../../operate/admin/drawings.ts');
    const context = { stage: 'local' as const, operator: 'demo', now: Date.now() };
    const { drawing_id } = await announce(organizationId, truck, { isTest: true }, context);
    return step('Test: the operator draws the truck', async (incentives) => {
      const { winners, ...drawing } = await incentives.drawings.get({ drawing_id });
      const winner = winners.find(({ claim_state }) => claim_state === 'open')?.external_reference;
      return { drawn: { ...drawing, winner } };
    });
  },

  limit: ({ on }, { step }) =>
    step(`Test: turn the daily play limit ${on ? 'on' : 'off'}`, async (incentives) => {
      await incentives.debug.dailySpinLimit({ on });
      return {};
    }),
};

/** Options of `drawing announce` for the demo's truck. */
const truck = {
  type: 'truck',
  prize: 'A Ford F-150',
  'prize-es': 'Una Ford F-150',
  'value-usd': '45000',
  'claim-days': '30',
};

const actions = { ...userActions, ...publicActions };
