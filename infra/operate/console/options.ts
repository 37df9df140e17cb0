import { BadUsage, parseInteger, parseOptions } from '../../common/arguments.ts';
import { stageNames } from '../admin/cli.ts';

export const usage = `npm run console -- --stage ${stageNames.join('|')} [--port <n>]`;

/** Parses the arguments of `npm run console`. Port 0 picks a free port. Throws a Problem for an invalid option. */
export function parseConsoleOptions(args: string[]) {
  const { values } = parseOptions({ args, options: { stage: { type: 'string' }, port: { type: 'string' } } });
  const stage = stageNames.find((name) => name === values.stage);
  if (!stage) throw new BadUsage(`Specify a stage: ${usage}`);
  return { stage, port: parseInteger('--port', values.port ?? '0', [0, 65_535]) };
}
