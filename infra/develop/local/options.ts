import { BadUsage, parseInteger, parseOptions } from '../../common/arguments.ts';

export const usage = `npm start                     run the service on this machine, with its data in memory
npm start -- --data <folder>  keep the data in a folder
PORT=3001 npm start           use another port (default 3000; 0 picks a free one)`;

/** Parses the arguments of `npm start` and the PORT variable. Throws a Problem for an invalid option. */
export function parseStartOptions(args: string[], environment: { PORT?: string | undefined }) {
  const port = parseInteger('PORT', environment.PORT || '3000', [0, 65_535]);
  const options = { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values } = parseOptions({ args, options });
  if (values.data === '') throw new BadUsage('--data is empty, and must be a folder.');
  return { ...values, port };
}
