/** What operators and hosts may have set, at any time: for rules of answers that depend on it. */
import { costOf } from '../settings.ts';
import { exchangesOf } from './exchanges.ts';
import type { World } from './world.ts';

/** The value of an option of a command, as it was typed. */
const optionOf = (args: string[], name: string): string | undefined =>
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

/** All that the cash of a day of an organization may have been limited to, in whole USD. */
export function cashLimits(world: World, organizationId: string): number[] {
  const byHost = exchangesOf(world, 'debug/daily-cash-limit')
    .filter((exchange) => exchange.organizationId === organizationId)
    .map(({ body }) => body?.cash_limit);
  const byOperator = world.journal.operatorCommands
    .filter(({ args }) => args[1] === 'limits' && optionOf(args, 'org') === organizationId)
    .flatMap(({ args }) => (args.includes('--daily-cash') ? [Number(optionOf(args, 'daily-cash'))] : []));
  return [500, ...byHost, ...byOperator];
}
