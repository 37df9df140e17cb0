/** Names in the document that follow from those of endpoints and events. */

const words = (name: string) => name.split(/[/_-]/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The name of a type: `TicketsCredit` for the endpoint `tickets/credit`. */
export const typeName = (name: string) => words(name).map(capital).join('');

/** The id of an operation, as generators make a function's name of it: `ticketsCredit`. */
export const operationIdOf = (name: string) => {
  const [first = '', ...others] = words(name);
  return first + others.map(capital).join('');
};

/** The tag of an endpoint, which is its room. */
export const tagOf = (name: string) => name.split('/')[0] ?? '';
