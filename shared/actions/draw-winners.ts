import { userWrite } from '../accounts/commit.ts';
import type { User } from '../accounts/user.ts';
import { randomnessOf } from '../drand/drand.ts';
import { type Drawing, openPlaces, readDrawing, readEntrantList } from '../drawings/drawings.ts';
import { drawUsers, summarizeEntrants } from '../drawings/list.ts';
import { beaconOf, drawnPrizeIdOf } from '../drawings/terms.ts';
import { getItem } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { ActionContext } from './action-records.ts';
import { drawingAfterDraws, recordDrawingStep, withDrawnPrize } from './record-drawing.ts';

/** Draws all open places, one action each. An erased user forfeits. Throws for a wrong signature or stored list. */
export async function drawWinners(
  drawing: Drawing,
  signature: string,
  { why: _, ...context }: ActionContext,
): Promise<Drawing> {
  const userOf = await drawOrder(drawing, signature);
  const drawNext = () =>
    recordDrawingStep(
      drawing,
      async (stored, { now }) => {
        const [place] = openPlaces(stored);
        if (place === undefined) return undefined;
        const number = stored.drawn.length + 1;
        const user_id = userOf(number);
        const user = (await getItem<User>(userKey(drawing.organization_id, user_id)))!;
        const { erased_at, external_reference } = user;
        const won_at = isoOf(now);
        const erased = erased_at === undefined ? {} : { forfeited: 'erased', forfeited_at: won_at };
        const drawn = [...stored.drawn, { place, user_id, won_at, ...erased }];
        const about = { user_id, place, number };
        const change = drawingAfterDraws({ ...stored, signature }, drawn, now);
        if (erased_at !== undefined)
          return { action: 'drawing_forfeited', about: { ...about, reason: 'erased' }, ...change };
        const winner = withDrawnPrize(user, drawnPrizeIdOf(drawing.terms.drawing_id, place, number), 'open');
        const writes = { user: userWrite(user, winner) };
        return {
          action: 'drawing_won',
          about: { ...about, signature },
          external_reference,
          ...change,
          writes,
        };
      },
      context,
    );
  while (await drawNext());
  // Another worker may have drawn instead.
  return readDrawing(drawing.organization_id, drawing.terms.drawing_id);
}

/** Returns the function that names the user of each draw by its number, from 1. */
async function drawOrder(drawing: Drawing, signature: string): Promise<(number: number) => string> {
  const { terms } = drawing;
  const { drawing_id, round } = terms;
  const randomness = randomnessOf(beaconOf(terms), round, signature);
  if (randomness === undefined) throw new Error(`the signature of round ${round} is invalid`);
  const list = await readEntrantList(drawing);
  if (summarizeEntrants(list).root !== drawing.list?.root)
    throw new Error(`the stored list of ${drawing_id} is not the published one`);
  const draws = drawUsers(list, drawing_id, Buffer.from(randomness, 'hex'));
  const order: string[] = [];
  return (number) => {
    while (order.length < number) order.push(draws.next().value!.user_id);
    return order[number - 1]!;
  };
}
