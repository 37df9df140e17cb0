import { localBeacon } from '../../infra/develop/local/beacon.ts';
import { credit, debit } from '../../shared/accounts/ledger.ts';
import { createUser } from '../../shared/accounts/references.ts';
import { readUserOrErased } from '../../shared/accounts/user.ts';
import { type Announcement, announceDrawing } from '../../shared/actions/announce-drawing.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { runDrawingStep } from '../../shared/actions/run-drawings.ts';
import { dueDrawingSteps } from '../../shared/actions/start-drawings.ts';
import type { RelayTimeouts } from '../../shared/drand/relays.ts';
import { type Drawing, readDrawing, readDrawings, readEntrantList } from '../../shared/drawings/drawings.ts';
import { getItem } from '../../shared/table/client.ts';
import { organizationKey } from '../../shared/table/keys.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';

export const minute = 60_000;
export const hour = 60 * minute;

/** An organization of some days ago, whose closing day ended at `midnight` (epoch milliseconds). */
export async function newSweepstakes() {
  const closes = addDays(dayOf(Date.now()), -10);
  const midnight = startOfDay(addDays(closes, 1));
  const announcedAt = midnight - 40 * hour;
  const { organization_id: org } = await createOrganization('Acme', 'local', {
    operator: 'test',
    now: announcedAt - hour,
  });
  const usual: Announcement = {
    type: 'truck',
    closes,
    draws_at: new Date(midnight + 60 * hour).toISOString(),
    winners: 1,
    prize: { en: 'A truck', es: 'Una camioneta' },
    value_usd: 45_000,
    claim_days: 30,
  };
  let users = 0;
  const change = (userId: string, amount: number, now: number, sign: 'credit' | 'debit' = 'credit') =>
    ledger[sign]({
      organizationId: org,
      userId,
      account: usual.type,
      change: { amount, description: '', idempotency_key: crypto.randomUUID() },
      now,
    });
  return {
    org,
    midnight,
    drawsAt: midnight + 60 * hour,
    change,
    announce: (terms: Partial<Announcement> = {}, now = announcedAt): Promise<Drawing> =>
      announceDrawing(org, { ...localBeacon, relays: [] }, { ...usual, ...terms }, { operator: 'ana', now }),
    /** Creates a user with entries some hours before the midnight. */
    async holder(entries: number): Promise<string> {
      const { user_id } = await createUser(org, `reference-${++users}`, midnight - 20 * hour);
      if (entries > 0) await change(user_id, entries, midnight - 10 * hour);
      return user_id;
    },
    balance: async (userId: string) => (await readUserOrErased(org, userId)).balances[usual.type],
    drawing: ({ terms }: Drawing) => readDrawing(org, terms.drawing_id),
    entrants: async ({ terms }: Drawing) =>
      Object.fromEntries(
        (await readEntrantList(await readDrawing(org, terms.drawing_id))).map(({ user_id, entries }) => [
          user_id,
          entries,
        ]),
      ),
    all: () => readDrawings(org),
    /** Does what a sweep at `now` starts. Returns the number of steps. */
    async sweep(now: number, patience?: RelayTimeouts): Promise<number> {
      const steps = dueDrawingSteps((await getItem(organizationKey(org)))!, now);
      for (const step of steps)
        await runDrawingStep(step, { now: () => now, timeIsUp: () => false, ...(patience && { patience }) });
      return steps.length;
    },
  };
}
const ledger = { credit, debit };

export type Sweepstakes = Awaited<ReturnType<typeof newSweepstakes>>;
