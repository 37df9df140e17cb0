import { useEffect, useMemo, useState } from 'preact/hooks';

/** Where the page is: a view, and what it shows, as it stands behind the # of the address. */
export type Route = { view: string; query: Record<string, string> };

function routeOf(hash: string): Route {
  const [view = '', search = ''] = hash.slice(2).split('?');
  return { view: view || 'today', query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a view. */
export function hrefOf(view: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `#/${view}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

/** Goes to a view. */
export function go(view: string, query: Record<string, string | undefined>): void {
  location.hash = hrefOf(view, query);
}

/** The route, as it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    // It may have changed between the first drawing and now.
    changed();
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return useMemo(() => routeOf(hash), [hash]);
}
