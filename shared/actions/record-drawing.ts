import type { User } from '../accounts/user.ts';
import {
  type Drawing,
  type DrawnUser,
  openPlaces,
  readDrawing,
  withOpenDrawing,
} from '../drawings/drawings.ts';
import type { Item, TableWrite } from '../table/client.ts';
import type { SteppedState } from '../vocabulary.ts';
import type { ActionContext } from './action-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/** A step of a drawing: the drawing after the step, and fields of the step's record. */
type DrawingChange = Pick<OperatorAction, 'action' | 'about' | 'external_reference'> & {
  next: Drawing;
  /** When the rest of the work begins, and from when it is late (epoch milliseconds). Absent if nothing is left. */
  work?: { from: number; by: number } | undefined;
  /** The user whom the step is about, if the record has a reason. */
  user?: User;
  writes?: Record<string, TableWrite>;
};
type Decided = DrawingChange | undefined;

/** Records the step that `decide` returns, if any. Returns the drawing after it. */
export async function recordDrawingChange(
  organizationId: string,
  decide: (current: ActionContext, organization: Item) => Promise<Decided>,
  context: ActionContext,
): Promise<Drawing | undefined> {
  let after: Drawing | undefined;
  await recordAction(
    organizationId,
    async (organization, current) => {
      const change = await decide(current, organization);
      after = change?.next;
      if (!change) return undefined;
      const { next, work, about, writes, ...action } = change;
      return {
        ...action,
        about: { ...about, drawing: next.terms },
        before: {},
        after: {},
        fields: withOpenDrawing(organization, next, work),
        writes: { ...writes, drawing: { Put: { Item: next } } },
      };
    },
    context,
  );
  return after;
}

/** Records the next step of a stored drawing. Throws `drawingNotFound`. */
export const recordDrawingStep = (
  { organization_id, terms }: Pick<Drawing, 'organization_id' | 'terms'>,
  decide: (drawing: Drawing, current: ActionContext, organization: Item) => Decided | Promise<Decided>,
  context: ActionContext,
): Promise<Drawing | undefined> =>
  recordDrawingChange(
    organization_id,
    async (current, organization) =>
      decide(await readDrawing(organization_id, terms.drawing_id), current, organization),
    context,
  );

export function drawingAfterDraws(drawing: Drawing, drawn: DrawnUser[], now: number) {
  const next: Drawing = { ...drawing, drawn };
  const isOpen = openPlaces(next).length > 0;
  if (!isOpen) next.state = 'drawn';
  return { next, work: isOpen ? { from: now, by: now } : undefined };
}

export const withDrawnPrize = (user: User, prizeId: string, state: SteppedState): User => ({
  ...user,
  drawn_prizes: { ...user.drawn_prizes, [prizeId]: state },
});
