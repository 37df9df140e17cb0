import { useEffect, useMemo, useState } from 'preact/hooks';

/** The current view and its parameters, taken from the part of the page's address after the `#`. */
export type ViewRoute = { view: string; query: Record<string, string> };

function routeOf(hash: string): ViewRoute {
  const [view = '', search = ''] = hash.slice(2).split('?');
  return { view: view || 'today', query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Leaves out empty parameters. */
export function hrefOf(view: string, query: Record<string, string | undefined>): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `#/${view}${filled.length > 0 ? `?${new URLSearchParams(filled)}` : ''}`;
}

export function openView(view: string, query: Record<string, string | undefined>): void {
  location.hash = hrefOf(view, query);
}

/** When the route changes, the calling component renders again. */
export function useViewRoute(): ViewRoute {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    // Reads the address again, because it may have changed between the first render and this effect.
    changed();
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return useMemo(() => routeOf(hash), [hash]);
}
