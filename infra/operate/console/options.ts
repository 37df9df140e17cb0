import { parseArgs } from 'node:util';
import { Problem } from '../../common/problem.ts';
import { stageNames } from '../admin/cli.ts';

/** Parses the arguments of `npm run console`. Port 0 picks a free port. Throws a Problem for an invalid option. */
export function optionsOf(args: string[]) {
  const { values } = parseArgs({ args, options: { stage: { type: 'string' }, port: { type: 'string' } } });
  const stage = stageNames.find((name) => name === values.stage);
  if (!stage) throw new Problem(`Specify a stage: npm run console -- --stage ${stageNames.join('|')}`);
  const port = Number(values.port ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { stage, port };
  throw new Problem(`--port must be a whole number from 0 to 65535, but is "${values.port}".`);
}
