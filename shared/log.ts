import { optionalVariable } from './environment.ts';

type Fields = Record<string, string | number | boolean | undefined>;

const levels = ['INFO', 'WARN', 'ERROR', 'SILENT'] as const;
type Level = (typeof levels)[number];

/** Writes a JSON line for CloudWatch Logs, unless `level` is lower than the variable `LOG_LEVEL`. */
function write(level: Level, message: string, fields: Fields): void {
  const minLevel = levels.indexOf((optionalVariable('LOG_LEVEL') ?? 'INFO') as Level);
  if (levels.indexOf(level) < minLevel) return;
  const timestamp = new Date().toISOString();
  console.log(JSON.stringify({ level, message, timestamp, service: 'incentives', ...fields }));
}

/** Fields are scalars, because whole items or bodies could contain secrets or personal data. */
export const log = {
  info: (message: string, fields: Fields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}) => write('WARN', message, fields),
  /** Logs an unexpected error and its cause: only their names and stacks, not their other properties. */
  failure: (where: string, error: unknown, fields: Fields = {}) =>
    write('ERROR', `${where} failed`, {
      ...fields,
      ...errorFields('error', error),
      ...(error instanceof Error && error.cause !== undefined ? errorFields('cause', error.cause) : {}),
    }),
};

const errorFields = (prefix: string, error: unknown) => ({
  [`${prefix}_name`]: error instanceof Error ? error.name : typeof error,
  [`${prefix}_stack`]: error instanceof Error ? error.stack : undefined,
});
