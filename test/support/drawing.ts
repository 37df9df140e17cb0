import { localBeacon } from '../../infra/develop/local/beacon.ts';
import { type Announcement, announceDrawing } from '../../shared/actions/announce-drawing.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';

/** Announces a drawing of truck entries that closes tomorrow. Returns its id. */
export async function announced(organizationId: string, terms: Partial<Announcement> = {}): Promise<string> {
  const now = Date.now();
  const closes = addDays(dayOf(now), 1);
  const announcement: Announcement = {
    type: 'truck',
    closes,
    draws_at: isoOf(startOfDay(addDays(closes, 3))),
    winners: 1,
    prize: { en: 'A truck', es: 'Una camioneta' },
    value_usd: 45_000,
    claim_days: 30,
    ...terms,
  };
  const beacon = { ...localBeacon, relays: [] };
  return (await announceDrawing(organizationId, beacon, announcement, { operator: 'test', now })).terms
    .drawing_id;
}
