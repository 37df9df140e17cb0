import { parseArgs } from 'node:util';
import { Problem } from './problem.ts';

/** How `npm start` is called. */
export const usage = `npm start                     run the service on this machine, data in memory
npm start -- --data <folder>  keep the data in a folder
PORT=3001 npm start           another port (default 3000; 0 picks one)`;

/** What a command line and its environment ask for. Throws a Problem that says what is wrong with them. */
export function optionsOf(args: string[], environment: { PORT?: string | undefined }) {
  const port = Number(environment.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Problem(`PORT is "${environment.PORT}", and must be a whole number from 0 to 65535.`);
  const values = parsed(args);
  if (values.data === '') throw new Problem('--data is empty, and must name a folder.');
  return { ...values, port };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
      .values;
  } catch (error) {
    throw new Problem(`${(error as Error).message}\n\n${usage}`);
  }
}
