import type { Item } from '../table/client.ts';
import type { Key, TimeKey } from '../table/keys.ts';
import { endOfDayAfter } from '../time.ts';
import type { ActionName } from '../vocabulary.ts';
import type { EntrantListSummary } from './list.ts';
import { type DrawingTerms, drawnPrizeIdOf } from './terms.ts';

/** The fields of an action's record from which events about drawings are made. */
export type DrawingActionRecord = Key &
  TimeKey & {
    kind: 'actions';
    action_id: string;
    organization_id: string;
    date_created: string;
    action: ActionName;
    about?: {
      user_id?: string;
      drawing?: DrawingTerms;
      list?: EntrantListSummary;
      place?: number;
      number?: number;
    };
    external_reference?: string;
  };

/** Returns the data of the event about an action, by its type. Most actions have no event. */
export function drawingEventData({ action, about, date_created, external_reference }: DrawingActionRecord): {
  drawing_closed?: Item;
  drawing_won?: Item;
} {
  const { drawing, list, place = 0, number = 0, user_id } = about ?? {};
  if (!drawing) return {};
  const { drawing_id, type, closes, draws_at, round, prize, value_usd, claim_days } = drawing;
  if (action === 'drawing_closed')
    return { drawing_closed: { drawing_id, type, closes, draws_at, round, ...list } };
  if (action !== 'drawing_won') return {};
  const prize_id = drawnPrizeIdOf(drawing_id, place, number);
  const won = { drawing_id, place, prize_id, user_id, external_reference, prize, value_usd };
  return { drawing_won: { ...won, claim_by: endOfDayAfter(date_created, claim_days) } };
}
