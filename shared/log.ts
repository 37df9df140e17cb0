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
  /** Something that should not happen: the error's name and stack, never what hangs on it. */
  failure: (where: string, error: unknown, fields: Fields = {}) =>
    logger.error(`${where} failed`, {
      ...fields,
      error_name: error instanceof Error ? error.name : typeof error,
      error_stack: error instanceof Error ? error.stack : undefined,
    }),
};
