import { restorePlay, voidPlay } from '../../../../shared/operations/void-plays.ts';
import { command } from '../command.ts';
import { shownPlay, tokenIn } from '../plays.ts';

const required = { org: 'organization id', url: 'play URL, or its token' };

export const verbs = {
  void: command({
    effect: 'changes',
    summary:
      'Void a play URL: it cannot be played any more; exit code 1 for one that was played, which stays as it is',
    required,
    asksWhy: true,
    async run({ org, url }, by) {
      const session = await voidPlay(org, tokenIn(url), by);
      return { print: await shownPlay(session), failed: !session.voided };
    },
  }),
  restore: command({
    effect: 'changes',
    summary: 'Let a voided play URL be played again, until it expires',
    required,
    asksWhy: true,
    run: async ({ org, url }, by) => ({ print: await shownPlay(await restorePlay(org, tokenIn(url), by)) }),
  }),
};
