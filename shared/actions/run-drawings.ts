import * as z from 'zod/mini';
import { BeaconUnavailable, fetchRoundSignature, type RelayTimeouts } from '../drand/relays.ts';
import { stageBeacon } from '../drand/stage-beacon.ts';
import { type Drawing, openPlaces, readDrawing, readRootTimestamp } from '../drawings/drawings.ts';
import { drawableAt } from '../drawings/terms.ts';
import { log } from '../log.ts';
import { sendMessages } from '../send-messages.ts';
import { allShards } from '../shards.ts';
import { readStageAuthorities } from '../stage-authorities.ts';
import { putItem } from '../table/client.ts';
import { rootTimestampKey } from '../table/drawing-keys.ts';
import { createTimestampAsker } from '../timestamps/ask.ts';
import {
  areAllShardsDone,
  type DrawingClock,
  finishClosing,
  finishReturningEntries,
  moveShardEntries,
} from './close-drawing.ts';
import { drawWinners } from './draw-winners.ts';
import type { DrawingStepMessage } from './start-drawings.ts';

/** `patience` limits the requests to relays. */
type DrawClock = DrawingClock & { patience?: RelayTimeouts };

const step = z.object({
  organization_id: z.string(),
  drawing_id: z.string(),
  shard: z.optional(z.int().check(z.minimum(0))),
});

export const parseDrawingStep = (body: string): DrawingStepMessage =>
  step.parse(JSON.parse(body)) as DrawingStepMessage;

/** Takes the next step of a drawing. If time runs out, another worker continues. Repeating a step changes nothing. */
export async function runDrawingStep(message: DrawingStepMessage, clock: DrawClock): Promise<void> {
  const drawing = await readDrawing(message.organization_id, message.drawing_id);
  const { shard } = message;
  if (drawing.state === 'closed' || drawing.state === 'drawn') return draw(drawing, clock);
  if (shard === undefined) return;
  if (await moveShardEntries(drawing, shard, clock)) await finish(drawing, clock);
  else if (clock.timeIsUp()) await sendMessages('drawings', [message]);
}

const contextAt = ({ now }: DrawingClock) => ({ operator: 'schedule', now: now(), readAt: Date.now() });

async function finish(drawing: Drawing, clock: DrawingClock): Promise<void> {
  if (!(await areAllShardsDone(drawing))) return;
  const isReturn = drawing.state === 'called_off';
  const finished = await (isReturn ? finishReturningEntries : finishClosing)(drawing, contextAt(clock));
  if (finished) await timestampRoot(finished, clock.now());
}

async function draw(drawing: Drawing, clock: DrawClock): Promise<void> {
  if (openPlaces(drawing).length === 0) return;
  // After the first draw, the signature is stored, so a forfeited place is drawn again at once.
  if (!drawing.signature && clock.now() < drawableAt(drawing.terms))
    return timestampRoot(drawing, clock.now());
  try {
    await drawNow(drawing, clock);
  } catch (error) {
    // Each sweep tries again, always with the announced round.
    if (!(error instanceof BeaconUnavailable)) throw error;
    log.failure('drawing', error, { drawing_id: drawing.terms.drawing_id });
  }
}

/** Throws BeaconUnavailable if no relay has the announced round. */
async function drawNow(drawing: Drawing, clock: DrawClock): Promise<Drawing> {
  const { terms, signature } = drawing;
  const beacon = { ...stageBeacon(), ...terms.beacon };
  const known = signature ?? (await fetchRoundSignature(beacon, terms.round, clock.patience));
  return drawWinners(drawing, known, contextAt(clock));
}

/** Stores a timestamp (RFC 3161) of the list's root, unless there is one. */
async function timestampRoot(drawing: Drawing, now: number): Promise<void> {
  const { organization_id, terms, list } = drawing;
  if (!list || list.entrants === 0 || (await readRootTimestamp(drawing))) return;
  const timestamp = await createTimestampAsker(readStageAuthorities())(Buffer.from(list.root, 'hex'), now);
  const key = rootTimestampKey(organization_id, terms.drawing_id);
  if (timestamp) await putItem({ ...key, ...timestamp }, { ConditionExpression: 'attribute_not_exists(pk)' });
}

/** Takes all steps of a test drawing at once. */
export async function runTestDrawing(drawing: Drawing, now: () => number): Promise<Drawing> {
  const { organization_id, terms } = drawing;
  const clock = { now, timeIsUp: () => false };
  await Promise.all(allShards.map((shard) => moveShardEntries(drawing, shard, clock)));
  await finish(drawing, clock);
  const closed = await readDrawing(organization_id, terms.drawing_id);
  return openPlaces(closed).length > 0 ? drawNow(closed, clock) : closed;
}
