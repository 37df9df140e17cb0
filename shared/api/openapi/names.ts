const words = (name: string) => name.split(/[/_-]/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const typeName = (name: string) => words(name).map(capital).join('');

/** Returns an endpoint's operation id, such as `ticketsCredit`, which code generators use as a function name. */
export const operationIdOf = (name: string) => {
  const [first = '', ...others] = words(name);
  return first + others.map(capital).join('');
};

export const tagOf = (name: string) => name.split('/')[0] ?? '';

export function clientMethodOf(name: string): string {
  const tag = tagOf(name);
  const [first = '', ...others] = words(name.slice(tag.length + 1));
  return `${tag}.${first}${others.map(capital).join('')}`;
}
