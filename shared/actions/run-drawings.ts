import * as z from 'zod/mini';
import { askRelays, BeaconUnavailable, type Patience } from '../drand/relays.ts';
import { stageBeacon } from '../drand/stage-beacon.ts';
import { type Drawing, openPlaces, readDrawing, rootTimestamp } from '../drawings/drawings.ts';
import { drawableAt } from '../drawings/terms.ts';
import { log } from '../log.ts';
import { sendMessages } from '../send-messages.ts';
import { allShards } from '../shards.ts';
import { stageAuthorities } from '../stage-authorities.ts';
import { put } from '../table/client.ts';
import { rootTimestampKey } from '../table/drawing-keys.ts';
import { askerOf } from '../timestamps/ask.ts';
import { areAllDone, finishClosing, finishReturning, runShard, type StepClock } from './close-drawing.ts';
import { drawWinners } from './draw-winners.ts';
import type { DrawingStep } from './start-drawings.ts';

/** `patience` limits the requests to relays. */
type DrawClock = StepClock & { patience?: Patience };

const step = z.object({
  organization_id: z.string(),
  drawing_id: z.string(),
  shard: z.optional(z.int().check(z.minimum(0))),
});

export const drawingStepIn = (body: string): DrawingStep => step.parse(JSON.parse(body)) as DrawingStep;

/** Takes the next step of a drawing. If time runs out, another worker continues. Repeating a step changes nothing. */
export async function runStep(message: DrawingStep, clock: DrawClock): Promise<void> {
  const drawing = await readDrawing(message.organization_id, message.drawing_id);
  const { shard } = message;
  if (drawing.state === 'closed' || drawing.state === 'drawn') return draw(drawing, clock);
  if (shard === undefined) return;
  if (await runShard(drawing, shard, clock)) await finish(drawing, clock);
  else if (clock.timeIsUp()) await sendMessages('drawings', [message]);
}

const contextAt = ({ now }: StepClock) => ({ operator: 'schedule', now: now() });

async function finish(drawing: Drawing, clock: StepClock): Promise<void> {
  if (!(await areAllDone(drawing))) return;
  const isReturn = drawing.state === 'called_off';
  const finished = await (isReturn ? finishReturning : finishClosing)(drawing, contextAt(clock));
  if (finished) await timestampRoot(finished, clock.now());
}

async function draw(drawing: Drawing, clock: DrawClock): Promise<void> {
  if (openPlaces(drawing).length === 0) return;
  // A round that is known already serves a forfeited place at once.
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
  const known = signature ?? (await askRelays(beacon, terms.round, clock.patience));
  return drawWinners(drawing, known, contextAt(clock));
}

/** Stores a timestamp (RFC 3161) of the list's root, unless there is one. */
async function timestampRoot(drawing: Drawing, now: number): Promise<void> {
  const { organization_id, terms, list } = drawing;
  if (!list || list.entrants === 0 || (await rootTimestamp(drawing))) return;
  const timestamp = await askerOf(stageAuthorities())(Buffer.from(list.root, 'hex'), now);
  const key = rootTimestampKey(organization_id, terms.drawing_id);
  if (timestamp) await put({ ...key, ...timestamp }, { ConditionExpression: 'attribute_not_exists(pk)' });
}

/** Takes all steps of a test drawing at once. */
export async function runTestDrawing(drawing: Drawing, now: () => number): Promise<Drawing> {
  const { organization_id, terms } = drawing;
  const clock = { now, timeIsUp: () => false };
  await Promise.all(allShards.map((shard) => runShard(drawing, shard, clock)));
  await finish(drawing, clock);
  const closed = await readDrawing(organization_id, terms.drawing_id);
  return openPlaces(closed).length > 0 ? drawNow(closed, clock) : closed;
}
