/** What an operator types and sees of a play URL. */
import type { OutcomeRecord } from '../../../shared/accounts/records.ts';
import { outcomeOf } from '../../../shared/games/outcomes.ts';
import { isPlayed, outcomeKeyOf, type PlaySession } from '../../../shared/games/play-sessions.ts';
import { get } from '../../../shared/table/client.ts';
import { Problem } from '../../common/problem.ts';

const form = /(?:^|\/play\/)([A-Za-z0-9_-]{43})(?:\/spin)?\/?(?:[?#].*)?$/;

/** The token of a play URL, or the token itself. Throws a Problem, which does not repeat it, if it is neither. */
export function tokenIn(typed: string): string {
  const [, token] = form.exec(typed.trim()) ?? [];
  if (!token) throw new Problem('--url must be a play URL, or the 43 characters at its end.');
  return token;
}

/** A play URL as it is: whose, until when, whether it is voided, and what it came to if it was played. */
export async function shownPlay(session: PlaySession) {
  const { organization_id, user_id, game, expires_at, voided = false } = session;
  const record = isPlayed(session) ? await get<OutcomeRecord>(outcomeKeyOf(session)) : undefined;
  const came = record ? { outcome: outcomeOf(record) } : {};
  return { organization_id, user_id, game, expires_at, voided, ...came };
}
