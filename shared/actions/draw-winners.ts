import type { User } from '../accounts/user.ts';
import { randomnessOf } from '../drand/drand.ts';
import { type Drawing, type DrawnUser, openPlaces, readList } from '../drawings/drawings.ts';
import { drawFrom, summaryOf } from '../drawings/list.ts';
import { beaconOf } from '../drawings/terms.ts';
import { refusals } from '../refusals.ts';
import { get } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { ActionContext } from './action-records.ts';
import { recordStep } from './record-drawing.ts';

/**
 * Draws users for all open places, each with a recorded action. An erased user forfeits at once. Throws if the
 * signature or the stored list is not the right one.
 */
export async function drawWinners(
  drawing: Drawing,
  signature: string,
  { why: _, ...context }: ActionContext,
): Promise<Drawing> {
  const userOf = await drawOrder(drawing, signature);
  const drawNext = () =>
    recordStep(
      drawing,
      async (stored, { now }) => {
        const [place] = openPlaces(stored);
        if (place === undefined) return undefined;
        const number = stored.drawn.length + 1;
        const user_id = userOf(number);
        const { erased_at, external_reference } = (await readUser(drawing, user_id))!;
        const erased = erased_at === undefined ? {} : { forfeited: 'erased' };
        const drawn = [...stored.drawn, { place, user_id, won_at: isoOf(now), ...erased }];
        const about = { user_id, place, number };
        const change = withDrawn({ ...stored, signature }, drawn, now);
        if (erased_at !== undefined)
          return { action: 'drawing_forfeited', about: { ...about, reason: 'erased' }, ...change };
        return { action: 'drawing_won', about: { ...about, signature }, external_reference, ...change };
      },
      context,
    );
  let last = drawing;
  for (let next = await drawNext(); next; next = await drawNext()) last = next;
  return last;
}

const readUser = ({ organization_id }: Drawing, userId: string): Promise<User | undefined> =>
  get<User>(userKey(organization_id, userId));

function withDrawn(drawing: Drawing, drawn: DrawnUser[], now: number) {
  const next: Drawing = { ...drawing, drawn };
  const isOpen = openPlaces(next).length > 0;
  if (!isOpen) next.state = 'drawn';
  return { next, work: isOpen ? { from: now, by: now } : undefined };
}

/** Returns the function that names the user of each draw by its number, from 1. */
async function drawOrder(drawing: Drawing, signature: string): Promise<(number: number) => string> {
  const { terms } = drawing;
  const { drawing_id, round } = terms;
  const randomness = randomnessOf(beaconOf(terms), round, signature);
  if (randomness === undefined) throw new Error(`the signature of round ${round} is invalid`);
  const list = await readList(drawing);
  if (summaryOf(list).root !== drawing.list?.root)
    throw new Error(`the stored list of ${drawing_id} is not the published one`);
  const draws = drawFrom(list, drawing_id, Buffer.from(randomness, 'hex'));
  const order: string[] = [];
  return (number) => {
    while (order.length < number) order.push(draws.next().value!.user_id);
    return order[number - 1]!;
  };
}

/** Returns the index in `drawn` of the winner of a place. Throws a Refusal if nobody holds the place. */
export function winnerOf({ drawn }: Drawing, place: number): number {
  const index = drawn.findIndex((one) => one.place === place && one.forfeited === undefined);
  if (index < 0) throw refusals.invalid(`place: Nobody has won place ${place}`);
  return index;
}

/** Takes a prize from its winner, with a public reason. The place is open until `drawWinners` draws it again. */
export async function forfeit(drawing: Drawing, place: number, context: ActionContext): Promise<Drawing> {
  const after = await recordStep(
    drawing,
    async (stored, { now, why: reason = '' }) => {
      const index = winnerOf(stored, place);
      const winner = stored.drawn[index]!;
      const user = await readUser(stored, winner.user_id);
      const about = { user_id: winner.user_id, place, number: index + 1, reason };
      const change = withDrawn(stored, stored.drawn.with(index, { ...winner, forfeited: reason }), now);
      return { action: 'drawing_forfeited', about, ...change, ...(user && { user }) };
    },
    context,
  );
  return after!;
}
