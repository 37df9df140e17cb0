import type { User } from '../accounts/user.ts';
import { getItems } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
import { endOfDayAfter } from '../time.ts';
import { type Drawing, placesHeld } from './drawings.ts';
import { drawnPrizeIdOf } from './terms.ts';

/** Returns drawings as the API shows them, with the winners' current references and claim states. */
export async function readDrawingViews(drawings: readonly Drawing[]) {
  const keys = drawings.flatMap(({ organization_id, drawn }) =>
    drawn.map(({ user_id }) => userKey(organization_id, user_id)),
  );
  const users = await getItems([...new Map(keys.map((key) => [key.pk, key])).values()]);
  const byId = new Map((users as (User | undefined)[]).map((user) => [user?.user_id, user]));
  return drawings.map(({ terms, state, list, drawn }) => ({
    ...terms,
    state,
    is_test: terms.is_test ?? false,
    entrants: list?.entrants ?? null,
    total_entries: list?.total_entries ?? null,
    root: list?.root ?? null,
    places_left: state === 'drawn' ? terms.winners - placesHeld(drawn).size : null,
    winners: drawn.map(({ place, user_id, won_at, forfeited }, index) => {
      const prize_id = drawnPrizeIdOf(terms.drawing_id, place, index + 1);
      const { external_reference = '', erased_at, drawn_prizes = {} } = byId.get(user_id) ?? {};
      const claim_state = forfeited === undefined ? (drawn_prizes[prize_id] ?? 'open') : 'forfeited';
      return {
        place,
        prize_id,
        user_id,
        external_reference: erased_at === undefined ? external_reference : '',
        claim_by: endOfDayAfter(won_at, terms.claim_days),
        claim_state,
      };
    }),
  }));
}
