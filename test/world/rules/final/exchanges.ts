/** Finds, groups and interprets requests and responses in the journal, for the rules. */
import type { Exchange } from '../../journal.ts';
import type { World } from './final-state.ts';

export const succeeded = ({ answer }: Exchange): boolean => answer?.status === 200;

/** Returns the error code in a response, or undefined for a success, an HTML page or a lost response. */
export const codeOf = ({ answer }: Exchange): string | undefined => answer?.body?.code;

/** Returns whether a response guarantees that the request is never executed, not even later. */
export function wasRefused(exchange: Exchange): boolean {
  const status = exchange.answer?.status ?? 0;
  return (status >= 400 && status < 500) || (status === 503 && codeOf(exchange) === 'unavailable');
}

/** Returns whether a request may have been executed or may still be executed. */
export const mayBeExecuted = (exchange: Exchange): boolean => !wasRefused(exchange);

/** Error codes that do not depend on the user's data. Even a repetition of a successful request may get such a code. */
export const independentOfData = new Set([
  'unauthorized',
  'forbidden',
  'validation_failed',
  'too_many_requests',
  'unavailable',
  'outcome_unknown',
  'accepted_repeat_to_collect',
]);

/** Returns all requests to the given endpoints, with their responses. */
export const exchangesOf = ({ journal }: World, ...endpoints: Exchange['endpoint'][]): Exchange[] =>
  journal.exchanges.filter(({ endpoint }) => endpoints.includes(endpoint));

/** Describes a request and its response in one line, for the report of a rule's violation. */
export const nameOf = ({ endpoint, path, body, sentAt, answer }: Exchange): string =>
  `${endpoint} ${path.user_id ?? path.webhook_id ?? path.token ?? ''} ${JSON.stringify(body ?? '')} at ${new Date(sentAt).toISOString()} (${answer?.status} ${answer?.body?.code ?? ''})`;

/** Groups values by the name that `nameOfValue` returns. Omits values without a name. */
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
