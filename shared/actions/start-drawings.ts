/** Starts the due steps of drawings: at their times by one-time schedules, otherwise by the spin sweep. */
import { type OpenDrawing, openDrawingsIn } from '../drawings/drawings.ts';
import { log } from '../log.ts';
import { countMetric } from '../metrics.ts';
import { sendMessages } from '../send-messages.ts';
import { allShards } from '../shards.ts';
import { getItem, type Item } from '../table/client.ts';
import { organizationKey, organizationsRange } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import type { DrawingState } from '../vocabulary.ts';

/** Message that asks a worker for the next step of a drawing, of one shard for steps that change users. */
export type DrawingStepMessage = { organization_id: string; drawing_id: string; shard?: number };

export const drawingLateAfterMs = 3_600_000;

/** Sends the messages of due steps. Logs failures, because a sweep must also start free spins. */
export async function startDueDrawings(now: number, organizationId?: string): Promise<void> {
  try {
    const found =
      organizationId === undefined ? await readRange(organizationsRange()) : [await one(organizationId)];
    const late = found.flatMap((organization) =>
      openDrawingsIn(organization).filter(({ by }) => now > by + drawingLateAfterMs),
    );
    for (const { drawing_id, state } of late) log.warn('a drawing is late', { drawing_id, state });
    countMetric('LateDrawings', late.length);
    await sendMessages(
      'drawings',
      found.flatMap((organization) => dueDrawingSteps(organization, now)),
    );
  } catch (error) {
    log.failure('drawings', error);
  }
}

const one = async (organizationId: string): Promise<Item> =>
  (await getItem(organizationKey(organizationId))) ?? {};

export function dueDrawingSteps(organization: Item, now: number): DrawingStepMessage[] {
  const open = openDrawingsIn(organization);
  const due = open.filter((one, index) => one.from <= now && !waitsFor(one, open.slice(0, index)));
  return due.flatMap(({ drawing_id, state }) => {
    const step = { organization_id: String(organization.organization_id), drawing_id };
    return movesEntries(state) ? allShards.map((shard) => ({ ...step, shard })) : [step];
  });
}

/** Entries belong to the earlier of two drawings, so it must close first. */
const waitsFor = ({ type, state }: OpenDrawing, earlier: readonly OpenDrawing[]): boolean =>
  state === 'announced' && earlier.some((one) => one.type === type && movesEntries(one.state));

const movesEntries = (state: DrawingState) => state === 'announced' || state === 'called_off';
