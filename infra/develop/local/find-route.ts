import type { Route } from '../../../shared/api/route.ts';

/** Finds the endpoint for a method and path; a literal segment wins over a parameter, a trailing slash is nothing. */
export function routeFinder(routes: Route[]) {
  const known = routes
    .map((route) => ({ route, segments: route.path.split('/').slice(1) }))
    .sort((a, b) => shape(a.segments).localeCompare(shape(b.segments)));
  return (method: string, pathname: string) => {
    const given = pathname.replace(/\/$/, '').split('/').slice(1).map(decoded);
    if (given.includes(undefined)) return undefined;
    for (const { route, segments } of known) {
      if (route.method !== method || segments.length !== given.length) continue;
      const parameters = parametersOf(segments, given as string[]);
      if (parameters) return { route, pathParameters: parameters };
    }
    return undefined;
  };
}

const shape = (segments: string[]) =>
  segments.map((segment) => (segment.startsWith('{') ? '~' : segment)).join('/');

function parametersOf(segments: string[], given: string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('{') && value) parameters[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return parameters;
}

/** A text without its percent signs; undefined if what they spell is not UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
