/** Rules of the effects and the output of operators' commands. */
import type { EndRule } from './final-state.ts';
import { optionOf } from './possible-settings.ts';

const isBusy = (printed: unknown) => String(printed).includes('Run it again');

/** Every command that explains something succeeds or says to run it again. An outcome's draw gives the same result. */
const explanations: EndRule = {
  rule: 'an operator gets an explanation, with an outcome’s draw repeated',
  check(world, report) {
    for (const { args, exitCode, printed } of world.journal.operatorCommands) {
      if (args[0] === 'explain' && exitCode !== 0 && !isBusy(printed))
        report(`${args.join(' ')}: ${exitCode} ${JSON.stringify(printed)}`);
    }
  },
};

const lateMs = 3_600_000;

/** No scheduled change of settings is more than an hour overdue. */
const noOverdueChanges: EndRule = {
  rule: 'no scheduled change is overdue',
  check(world, report) {
    for (const { organization_id, scheduled = [] } of world.of('organization'))
      for (const { from, sequence } of scheduled)
        if (Date.parse(from) <= world.now - lateMs)
          report(`${organization_id}: the change ${sequence} of ${from} is overdue`);
  },
};

/** Adjustment commands with the same user and `--once` key together make at most one adjustment. */
const adjustedOnce: EndRule = {
  rule: 'an adjustment with a key is made once',
  check(world, report) {
    const named = new Map<string, Set<string>>();
    const most = new Map<string, number>();
    for (const { args, exitCode, printed } of world.journal.operatorCommands) {
      if (args[0] !== 'user' || args[1] !== 'adjust') continue;
      const [user, once] = [optionOf(args, 'user')!, optionOf(args, 'once')];
      const name = `${user} ${once}`;
      // Each key, and each command without a key, allows one adjustment.
      if (once === undefined || !named.has(name)) most.set(user, (most.get(user) ?? 0) + 1);
      const ids = named.get(name) ?? new Set();
      if (exitCode === 0) ids.add((printed as { transaction_id: string }).transaction_id);
      named.set(name, ids);
      if (once !== undefined && ids.size > 1)
        report(`${args.join(' ')} made several adjustments: ${[...ids]}`);
    }
    for (const { user, records } of world.histories.values()) {
      const made = records.filter(({ action_id }) => action_id !== undefined).length;
      if (made > (most.get(user.user_id) ?? 0)) report(`${user.user_id} is adjusted ${made} times`);
    }
  },
};

export const operatorRules = [explanations, noOverdueChanges, adjustedOnce];
