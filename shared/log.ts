import { optionalVariable } from './environment.ts';

type Fields = Record<string, string | number | boolean | undefined>;

const levels = ['INFO', 'WARN', 'ERROR', 'SILENT'] as const;
type Level = (typeof levels)[number];

/** Writes a line of JSON for CloudWatch Logs, unless the level is below `LOG_LEVEL`. */
function write(level: Level, message: string, fields: Fields): void {
  const least = levels.indexOf((optionalVariable('LOG_LEVEL') ?? 'INFO') as Level);
  if (levels.indexOf(level) < least) return;
  const timestamp = new Date().toISOString();
  console.log(JSON.stringify({ level, message, timestamp, service: 'incentives', ...fields }));
}

/**
 * The service's log. It takes only named scalar fields, so that no item, body or header with a secret or personal data
 * gets into it.
 */
export const log = {
  info: (message: string, fields: Fields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}) => write('WARN', message, fields),
  /** Logs an unexpected error: name and stack of the error and its cause, without their other properties. */
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
