import { argumentsOf, BadUsage, wholeNumber } from '../../common/arguments.ts';

export const usage = `npm start                     run the service on this machine, with its data in memory
npm start -- --data <folder>  keep the data in a folder
npm start -- --data <folder> --table <name>  use another table in the folder, such as a copy
PORT=3001 npm start           use another port (default 3000; 0 picks a free one)`;

/** Parses the arguments of `npm start` and the PORT variable. Throws a Problem for an invalid option. */
export function optionsOf(args: string[], environment: { PORT?: string | undefined }) {
  const port = wholeNumber('PORT', environment.PORT || '3000', [0, 65_535]);
  const text = { type: 'string' } as const;
  const options = { data: text, table: text, help: { type: 'boolean', short: 'h' } } as const;
  const { values } = argumentsOf({ args, options });
  if (values.data === '') throw new BadUsage('--data is empty, and must be a folder.');
  if (values.table !== undefined && !/^[\w.-]{3,255}$/.test(values.table))
    throw new BadUsage(
      `--table is "${values.table}", and must be 3 to 255 letters, digits, dots, hyphens or underscores.`,
    );
  return { ...values, port };
}
