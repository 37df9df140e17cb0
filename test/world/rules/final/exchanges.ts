/** Interprets the answers to requests. */
import type { Exchange } from '../../journal.ts';
import type { World } from './final-state.ts';

export const succeeded = ({ answer }: Exchange): boolean => answer?.status === 200;

/** Returns the error code of a refusal. Undefined for successes, pages and lost answers. */
export const codeOf = ({ answer }: Exchange): string | undefined => answer?.body?.code;

/**
 * Returns whether the answer guarantees that nothing was done. Requests without an answer or with an unknown
 * outcome may still be executed later.
 */
export function wasRefused(exchange: Exchange): boolean {
  const status = exchange.answer?.status ?? 0;
  return (status >= 400 && status < 500) || (status === 503 && codeOf(exchange) === 'unavailable');
}

/** Returns whether a request may have been executed. */
export const mayBeExecuted = (exchange: Exchange): boolean => !wasRefused(exchange);

/** Codes that depend on the credentials, form or time of a request, not on the data. */
export const independentOfData = new Set([
  'unauthorized',
  'forbidden',
  'organization_suspended',
  'validation_failed',
  'too_many_requests',
  'unavailable',
  'outcome_unknown',
  'accepted_repeat_to_collect',
]);

/** Returns the exchanges of some endpoints. */
export const exchangesOf = ({ journal }: World, ...endpoints: Exchange['endpoint'][]): Exchange[] =>
  journal.exchanges.filter(({ endpoint }) => endpoints.includes(endpoint));

/** Describes an exchange in one line. */
export const nameOf = ({ endpoint, path, body, sentAt, answer }: Exchange): string =>
  `${endpoint} ${path.user_id ?? path.webhook_id ?? path.token ?? ''} ${JSON.stringify(body ?? '')} at ${new Date(sentAt).toISOString()} (${answer?.status} ${answer?.body?.code ?? ''})`;

/** Groups values by name. */
export function groupBy<T>(
  values: Iterable<T>,
  nameOfValue: (value: T) => string | undefined,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = nameOfValue(value);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}
