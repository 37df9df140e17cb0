import { methodsOf, type Route } from '../../../shared/api/route.ts';

/** Returns a function that finds a route by method and path, ignoring a trailing slash. */
export function routeFinder(routes: Route[]) {
  const known = routes
    .map((route) => ({ route, segments: route.path.split('/').slice(1) }))
    .sort((a, b) => shape(a.segments).localeCompare(shape(b.segments)));
  return (method: string, pathname: string) => {
    const actual = pathname.replace(/\/$/, '').split('/').slice(1).map(percentDecoded);
    if (actual.includes(undefined)) return undefined;
    for (const { route, segments } of known) {
      if (!methodsOf(route).includes(method) || segments.length !== actual.length) continue;
      const parameters = parametersOf(segments, actual as string[]);
      if (parameters) return { route, pathParameters: parameters };
    }
    return undefined;
  };
}

const shape = (segments: string[]) =>
  segments.map((segment) => (segment.startsWith('{') ? '~' : segment)).join('/');

function parametersOf(segments: string[], actual: string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = actual[index] ?? '';
    if (segment.startsWith('{') && value) parameters[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return parameters;
}

/** Decodes percent-encoded text. Returns undefined if the bytes are not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
