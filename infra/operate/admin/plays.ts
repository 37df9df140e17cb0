import type { OutcomeRecord } from '../../../shared/accounts/records.ts';
import { outcomeOf } from '../../../shared/games/outcomes.ts';
import { isPlayed, outcomeKeyOf, type PlaySession } from '../../../shared/games/play-sessions.ts';
import { getItem } from '../../../shared/table/client.ts';
import { BadUsage } from '../../common/arguments.ts';

const form = /(?:^|\/play\/)([A-Za-z0-9_-]{43})(?:\/spin)?\/?(?:[?#].*)?$/;

export function parsePlayToken(typed: string): string {
  const [, token] = form.exec(typed.trim()) ?? [];
  if (!token) throw new BadUsage('--url must be a play URL, or the 43 characters at its end.');
  return token;
}

export async function readShownPlay(session: PlaySession) {
  const { organization_id, user_id, game, expires_at, voided = false } = session;
  const record = isPlayed(session) ? await getItem<OutcomeRecord>(outcomeKeyOf(session)) : undefined;
  const result = record ? { outcome: outcomeOf(record) } : {};
  return { organization_id, user_id, game, expires_at, voided, ...result };
}
