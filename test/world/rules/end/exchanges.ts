/** What an answer means to the one who asked. */
import type { Exchange } from '../../journal.ts';
import type { World } from './world.ts';

/** Whether a request succeeded. */
export const succeeded = ({ answer }: Exchange): boolean => answer?.status === 200;

/** The stable word of a refusal; undefined for a success, a page, or an answer that never came. */
export const codeOf = ({ answer }: Exchange): string | undefined => answer?.body?.code;

/**
 * Whether a request was refused for good: its answer promises that nothing was done. Those without an answer, and those
 * whose outcome is unknown, may have been carried out, even later on.
 */
export function wasRefused(exchange: Exchange): boolean {
  const status = exchange.answer?.status ?? 0;
  return (status >= 400 && status < 500) || (status === 503 && codeOf(exchange) === 'unavailable');
}

/** Whether a request may have been carried out. */
export const mayBeDone = (exchange: Exchange): boolean => !wasRefused(exchange);

/** Refusals that say nothing of what was asked for: of the credential, the form, or the moment. */
export const ofTheMoment = new Set([
  'unauthorized',
  'forbidden',
  'organization_suspended',
  'validation_failed',
  'too_many_requests',
  'unavailable',
  'outcome_unknown',
  'accepted_repeat_to_collect',
]);

/** The exchanges of some endpoints. */
export const exchangesOf = ({ journal }: World, ...endpoints: Exchange['endpoint'][]): Exchange[] =>
  journal.exchanges.filter(({ endpoint }) => endpoints.includes(endpoint));

/** What an exchange was, in a few words. */
export const nameOf = ({ endpoint, path, body, sentAt, answer }: Exchange): string =>
  `${endpoint} ${path.user_id ?? path.webhook_id ?? path.token ?? ''} ${JSON.stringify(body ?? '')} at ${new Date(sentAt).toISOString()} (${answer?.status} ${answer?.body?.code ?? ''})`;

/** Puts values into lists by a name each. */
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
