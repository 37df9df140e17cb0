import { argumentsOf, BadUsage, wholeNumber } from '../../common/arguments.ts';
import { stageNames } from '../admin/cli.ts';

export const usage = `npm run console -- --stage ${stageNames.join('|')} [--port <n>]`;

/** Parses the arguments of `npm run console`. Port 0 picks a free port. Throws a Problem for an invalid option. */
export function optionsOf(args: string[]) {
  const { values } = argumentsOf({ args, options: { stage: { type: 'string' }, port: { type: 'string' } } });
  const stage = stageNames.find((name) => name === values.stage);
  if (!stage) throw new BadUsage(`Specify a stage: ${usage}`);
  return { stage, port: wholeNumber('--port', values.port ?? '0', [0, 65_535]) };
}
