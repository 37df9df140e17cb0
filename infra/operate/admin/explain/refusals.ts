import { errorExplanations } from '../../../../functions/docs/page/errors.ts';
import type { Hold, Restriction } from '../../../../shared/vocabulary.ts';
import type { Explained } from './explained.ts';

type Cause = { sentence: string; next: string };

/** What an operator can do about each hold and restriction. */
export const refusalAdvice: Record<Hold | Restriction, Cause> = {
  organization_suspended: { sentence: 'The organization is suspended.', next: 'org resume ends it.' },
  user_frozen: { sentence: 'The user is frozen.', next: 'user unfreeze ends it.' },
  game_paused: { sentence: 'The game is paused.', next: 'game resume ends it.' },
  tickets_only: {
    sentence:
      'Plays can win only tickets: the cash left, or released so far, covers no prize, or it is outside the promotion.',
    next: 'report day shows the limit, which game limits --daily-cash raises, and promotion show the days and the cap.',
  },
  daily_spin_limit_reached: {
    sentence: 'The user has used all plays of the day.',
    next: 'Wait for midnight in New York. game show has the limit.',
  },
  insufficient_tickets: {
    sentence: 'The user has fewer tickets than the game costs.',
    next: 'The host credits tickets, or user adjust does.',
  },
};

/** Returns undefined for other texts than codes of refusals, holds and restrictions. */
export function explainErrorCode(code: string): Explained | undefined {
  const known = Object.hasOwn(errorExplanations, code) ? errorExplanations[code] : undefined;
  const cause = Object.hasOwn(refusalAdvice, code) ? refusalAdvice[code as Hold | Restriction] : undefined;
  if (!known && !cause) return undefined;
  return {
    id: code,
    what: 'a reason why the API refuses or limits requests',
    happened: [],
    state: known?.[0] ?? cause!.sentence,
    next: [...(known ? [`The host: ${known[1]}`] : []), ...(cause ? [`You: ${cause.next}`] : [])],
  };
}
