/** Collects all values that a setting may have had, to check responses that depend on the setting. */
import type { World } from './final-state.ts';

/** Returns the value of an option in a command's arguments, or undefined without this option. */
export const optionOf = (args: string[], name: string): string | undefined =>
  args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined;

/** Returns all costs of a prize wheel play, in tickets, that an organization may have had at any time. */
export function possibleWheelCosts({ journal }: World, organizationId: string): number[] {
  const set = journal.operatorCommands
    .map(({ args }) => args)
    .filter((args) => args[0] === 'game' && args[1] === 'set' && args.includes('--cost'))
    .filter((args) => optionOf(args, 'org') === organizationId && optionOf(args, 'game') === 'prizewheel')
    .map((args) => Number(optionOf(args, 'cost')));
  return [1, ...set];
}

/** Returns all limits on a user's daily plays that an organization may have had at any time. */
export function possibleSpinLimits({ journal }: World, organizationId: string): number[] {
  const set = journal.operatorCommands
    .filter(({ args }) => args[1] === 'limits' && optionOf(args, 'org') === organizationId)
    .map(({ args }) => Number(optionOf(args, 'daily-spins')))
    .filter((limit) => !Number.isNaN(limit));
  return [5, ...set];
}
