/** Derives names in the document from names of endpoints and events. */

const words = (name: string) => name.split(/[/_-]/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The name of a type: `TicketsCredit` for the endpoint `tickets/credit`. */
export const typeName = (name: string) => words(name).map(capital).join('');

/** The id of an operation, which generators use as a function name: `ticketsCredit`. */
export const operationIdOf = (name: string) => {
  const [first = '', ...others] = words(name);
  return first + others.map(capital).join('');
};

/** The tag of an endpoint: the first part of its name. */
export const tagOf = (name: string) => name.split('/')[0] ?? '';
