import type { Route, Schemas } from '../route.ts';

/** Adds the field `name` to each endpoint: the endpoint's key in `endpoints`. */
export function table<const T extends Record<string, Omit<Route<string, Schemas>, 'name'>>>(
  endpoints: T,
): { [name in keyof T & string]: T[name] & { name: name } } {
  const named = Object.entries(endpoints).map(([name, endpoint]) => [name, { ...endpoint, name }]);
  return Object.fromEntries(named);
}
