import { restorePlay, voidPlay } from '../../../../shared/actions/void-plays.ts';
import { command, org } from '../command.ts';
import { parsePlayToken, readShownPlay } from '../plays.ts';

const required = { org, url: 'play URL, or its token' };

export const verbs = {
  void: command({
    effect: 'changes',
    summary:
      'Void a play URL so that it cannot be played; exit code 1 if it was played already, which changes nothing',
    required,
    requiresReason: true,
    async run({ org, url }, context) {
      const session = await voidPlay(org, parsePlayToken(url), context);
      return { print: await readShownPlay(session), failed: !session.voided };
    },
  }),
  restore: command({
    effect: 'changes',
    summary: 'Restore a voided play URL, which can be played until it expires',
    required,
    requiresReason: true,
    run: async ({ org, url }, context) => ({
      print: await readShownPlay(await restorePlay(org, parsePlayToken(url), context)),
    }),
  }),
};
