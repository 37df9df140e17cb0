import { optionalVariable } from './environment.ts';

type Fields = Record<string, string | number | boolean | undefined>;

const levels = ['INFO', 'WARN', 'ERROR', 'SILENT'] as const;
type Level = (typeof levels)[number];

/** One line of JSON on the console, which Lambda hands to CloudWatch Logs; none below the level of `LOG_LEVEL`. */
function write(level: Level, message: string, fields: Fields): void {
  const least = levels.indexOf((optionalVariable('LOG_LEVEL') ?? 'INFO') as Level);
  if (levels.indexOf(level) < least) return;
  const timestamp = new Date().toISOString();
  console.log(JSON.stringify({ level, message, timestamp, service: 'incentives', ...fields }));
}

/**
 * The service's log. It takes named plain fields only, so that no item, body or header slips in:
 * no secret, token or personal data belongs here.
 */
export const log = {
  info: (message: string, fields: Fields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}) => write('WARN', message, fields),
  /** Something that should not happen: names and stacks of the error and its cause, never what hangs on them. */
  failure: (where: string, error: unknown, fields: Fields = {}) =>
    write('ERROR', `${where} failed`, {
      ...fields,
      ...told('error', error),
      ...(error instanceof Error && error.cause !== undefined ? told('cause', error.cause) : {}),
    }),
};

const told = (what: string, error: unknown) => ({
  [`${what}_name`]: error instanceof Error ? error.name : typeof error,
  [`${what}_stack`]: error instanceof Error ? error.stack : undefined,
});
