import { quicknet, type StageBeacon } from '../drand/rounds.ts';
import { type Drawing, openDrawingsIn, readDrawings } from '../drawings/drawings.ts';
import { closingStartsAt, type DrawingTerms, drawableAt, faultInTerms, roundOf } from '../drawings/terms.ts';
import { idOf, ulidOf } from '../ids.ts';
import { scheduleCall } from '../one-time-schedules.ts';
import { refusals } from '../refusals.ts';
import { drawingKey } from '../table/drawing-keys.ts';
import { isoOf, maxClockSkewMs } from '../time.ts';
import { type ActionContext, nextActionId } from './action-records.ts';
import { recordDrawingChange, recordDrawingStep } from './record-drawing.ts';

export type Announcement = Omit<DrawingTerms, 'drawing_id' | 'round' | 'beacon'>;

/** Maximum number of an organization's drawings that are not drawn yet. */
const maxOpen = 20;

/** Builds a drawing without storing it. Throws a Refusal that names a term which is not possible. */
export async function prepareDrawing(
  organizationId: string,
  drawingId: string,
  { hash, public_key, genesis_time, period }: StageBeacon,
  announcement: Announcement,
  now: number,
): Promise<Drawing> {
  const beacon = hash === quicknet.hash ? {} : { beacon: { public_key, genesis_time, period } };
  const unnumbered = { drawing_id: drawingId, ...announcement, ...beacon, round: 0 };
  const terms = { ...unnumbered, round: roundOf(unnumbered) };
  const fault = faultInTerms(terms, now);
  if (fault) throw refusals.invalid(`${fault.term}: ${fault.reason}`);
  const rival = (await readDrawings(organizationId)).find((other) => isRival(terms, other));
  if (rival)
    throw refusals.invalid(
      `closes: ${rival.terms.drawing_id} closes on ${rival.terms.closes}; another drawing of ${terms.type} entries must close later`,
    );
  const key = drawingKey(organizationId, drawingId);
  const announced = { organization_id: organizationId, terms, announced_at: isoOf(now) };
  return { ...key, ...announced, state: 'announced', drawn: [] };
}

/** Returns whether a new drawing would use up the entries of another one. */
function isRival(terms: DrawingTerms, { terms: other, state }: Drawing): boolean {
  if (other.type !== terms.type || state === 'called_off') return false;
  return terms.is_test ? state === 'announced' : !other.is_test && other.closes >= terms.closes;
}

export async function announceDrawing(
  organizationId: string,
  beacon: StageBeacon,
  announcement: Announcement,
  context: ActionContext,
): Promise<Drawing> {
  const announced = await recordDrawingChange(
    organizationId,
    async ({ now }, organization) => {
      const drawingId = idOf('drw', ulidOf(nextActionId(organizationId, organization, now)));
      const next = await prepareDrawing(organizationId, drawingId, beacon, announcement, now);
      if (openDrawingsIn(organization).length >= maxOpen)
        throw refusals.invalid(`type: ${maxOpen} drawings are already announced and not drawn`);
      const from = next.terms.is_test ? now : closingStartsAt(next.terms);
      return { action: 'drawing_announced', next, work: { from, by: from } };
    },
    context,
  );
  return announced!;
}

/** Schedules a call for each step. Without these calls, a spin sweep starts a step up to 15 minutes late. */
export async function scheduleDrawingSteps({ organization_id, terms }: Drawing): Promise<void> {
  const wholeSecond = (at: number) => Math.ceil(at / 1000) * 1000;
  await scheduleCall(wholeSecond(closingStartsAt(terms)), `${terms.drawing_id}-close`, organization_id);
  await scheduleCall(wholeSecond(drawableAt(terms)), `${terms.drawing_id}-draw`, organization_id);
}

/**
 * Milliseconds until entries that an interrupted closing has used up are given back: until then, a worker that has read
 * the drawing before may still debit a user. A worker runs for five minutes at most.
 */
const returnAfterMs = 5 * 60_000 + 2 * maxClockSkewMs;

/** Calls off a drawing that is not closed. Entries that its closing has already used up are given back. */
export async function callOffDrawing(drawing: Drawing, context: ActionContext): Promise<Drawing> {
  const after = await recordDrawingStep(
    drawing,
    (stored, { now, why = '' }) => {
      requireCanCallOff(stored);
      const { terms } = stored;
      const hasBegun = terms.is_test || now > closingStartsAt(terms) - 2 * maxClockSkewMs;
      const at = now + returnAfterMs;
      const next: Drawing = { ...stored, state: 'called_off', called_off: why };
      return { action: 'drawing_called_off', next, work: hasBegun ? { from: at, by: at } : undefined };
    },
    context,
  );
  return after!;
}

/** Throws a Refusal if a drawing cannot be called off any more. */
export function requireCanCallOff({ state }: Drawing): void {
  if (state === 'called_off') throw refusals.invalid('drawing: It is already called off');
  if (state !== 'announced') throw refusals.invalid('drawing: It has closed, so it cannot be called off');
}
