import type { Route, RouteSchemas } from '../route.ts';

/** Adds the field `name` to each endpoint: the endpoint's key in `endpoints`. */
export function routeTable<const T extends Record<string, Omit<Route<string, RouteSchemas>, 'name'>>>(
  endpoints: T,
): { [name in keyof T & string]: T[name] & { name: name } } {
  const named = Object.entries(endpoints).map(([name, endpoint]) => [name, { ...endpoint, name }]);
  return Object.fromEntries(named);
}
