/** All values that a setting may have had, for rules about answers that depend on it. */
import { costOf } from '../settings.ts';
import type { World } from './final-state.ts';

/** Returns the value of a command's option. */
export const optionOf = (args: string[], name: string): string | undefined =>
  args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined;

/** Returns all costs that the prize wheel may have had, in tickets. */
export function possibleWheelCosts({ journal }: World, organizationId: string): number[] {
  const set = journal.operatorCommands
    .map(({ args }) => args)
    .filter((args) => args[0] === 'game' && args[1] === 'set' && args.includes('--cost'))
    .filter((args) => optionOf(args, 'org') === organizationId && optionOf(args, 'game') === 'prizewheel')
    .map((args) => Number(optionOf(args, 'cost')));
  return [costOf(undefined, 'prizewheel'), ...set];
}

/** Returns all limits on daily plays that may have been in force. */
export function possibleSpinLimits({ journal }: World, organizationId: string): number[] {
  const set = journal.operatorCommands
    .filter(({ args }) => args[1] === 'limits' && optionOf(args, 'org') === organizationId)
    .map(({ args }) => Number(optionOf(args, 'daily-spins')))
    .filter((limit) => !Number.isNaN(limit));
  return [5, ...set];
}
