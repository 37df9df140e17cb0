/** What operators and hosts may have set, at any time: for rules of answers that depend on it. */
import { costOf } from '../settings.ts';
import type { World } from './world.ts';

/** The value of an option of a command, as it was typed. */
export const optionOf = (args: string[], name: string): string | undefined =>
  args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined;

/** All that an organization's wheel may have cost, in tickets. */
export function costsOfWheel({ journal }: World, organizationId: string): number[] {
  const set = journal.operatorCommands
    .map(({ args }) => args)
    .filter((args) => args[0] === 'game' && args[1] === 'set' && args.includes('--cost'))
    .filter((args) => optionOf(args, 'org') === organizationId && optionOf(args, 'game') === 'prizewheel')
    .map((args) => Number(optionOf(args, 'cost')));
  return [costOf(undefined, 'prizewheel'), ...set];
}

/** All that the regular plays of a user on a day may have been limited to. */
export function spinLimits({ journal }: World, organizationId: string): number[] {
  const set = journal.operatorCommands
    .filter(({ args }) => args[1] === 'limits' && optionOf(args, 'org') === organizationId)
    .map(({ args }) => Number(optionOf(args, 'daily-spins')))
    .filter((limit) => !Number.isNaN(limit));
  return [5, ...set];
}
