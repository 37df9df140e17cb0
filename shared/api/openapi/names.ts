/** Names in the OpenAPI document, derived from the names of endpoints and events. */

const words = (name: string) => name.split(/[/_-]/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the name of a type, such as `TicketsCredit` for the endpoint `tickets/credit`. */
export const typeName = (name: string) => words(name).map(capital).join('');

/** Returns the id of an operation, such as `ticketsCredit`. Generators use it as a function name. */
export const operationIdOf = (name: string) => {
  const [first = '', ...others] = words(name);
  return first + others.map(capital).join('');
};

/** Returns the tag of an endpoint: the first part of its name. */
export const tagOf = (name: string) => name.split('/')[0] ?? '';
