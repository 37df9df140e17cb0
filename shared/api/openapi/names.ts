/** Derives the names in the OpenAPI document from the names of endpoints and event types. */

const words = (name: string) => name.split(/[/_-]/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the type name for an endpoint or event type, such as `TicketsCredit` for the endpoint `tickets/credit`. */
export const typeName = (name: string) => words(name).map(capital).join('');

/** Returns an endpoint's operation id, such as `ticketsCredit`, which code generators use as a function name. */
export const operationIdOf = (name: string) => {
  const [first = '', ...others] = words(name);
  return first + others.map(capital).join('');
};

/** Returns the tag (the group) of an endpoint, which is the first part of its name. */
export const tagOf = (name: string) => name.split('/')[0] ?? '';

/** Returns the name of an endpoint's method in the client, such as `amoe.guestQueue`. */
export function clientMethodOf(name: string): string {
  const tag = tagOf(name);
  const [first = '', ...others] = words(name.slice(tag.length + 1));
  return `${tag}.${first}${others.map(capital).join('')}`;
}
