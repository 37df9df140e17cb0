import { Logger } from '@aws-lambda-powertools/logger';

const logger = new Logger({ serviceName: 'incentives' });

type Fields = Record<string, string | number | boolean | undefined>;

/**
 * The service's log. It takes named plain fields only, so that no item, body or header slips in:
 * no secret, token or personal data belongs here.
 */
export const log = {
  info: (message: string, fields: Fields = {}) => logger.info(message, fields),
  warn: (message: string, fields: Fields = {}) => logger.warn(message, fields),
  /** Something that should not happen: names and stacks of the error and its cause, never what hangs on them. */
  failure: (where: string, error: unknown, fields: Fields = {}) =>
    logger.error(`${where} failed`, {
      ...fields,
      ...told('error', error),
      ...(error instanceof Error && error.cause !== undefined ? told('cause', error.cause) : {}),
    }),
};

const told = (what: string, error: unknown) => ({
  [`${what}_name`]: error instanceof Error ? error.name : typeof error,
  [`${what}_stack`]: error instanceof Error ? error.stack : undefined,
});
