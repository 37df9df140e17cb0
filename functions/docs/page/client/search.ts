import type { SearchTarget } from '../search.ts';

const maxResults = 8;

let index: Promise<SearchTarget[]> | undefined;

/** Fetches the search index once, or again after a failure. */
function readIndex(): Promise<SearchTarget[]> {
  index ??= fetch('?page=search.json').then((response) => response.json());
  index.catch(() => {
    index = undefined;
  });
  return index;
}

export function matchingTargets(places: SearchTarget[], query: string): SearchTarget[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = ({ title, text, names = [] }: SearchTarget) => {
    if (names.some((name) => name.toLowerCase() === words.join(' '))) return Number.POSITIVE_INFINITY;
    const [head, all] = [title.toLowerCase(), `${title} ${text}`.toLowerCase()];
    if (!words.every((word) => all.includes(word))) return -1;
    return words.filter((word) => head.includes(word)).length;
  };
  return places
    .map((place) => ({ place, rank: rank(place) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxResults)
    .map(({ place }) => place);
}

function statusOf(query: string, places: SearchTarget[] | undefined, found: number): string {
  if (!places) return 'The search did not load. Type again.';
  return query.trim() && found === 0 ? 'Nothing found' : '';
}

function resultOf({ title, in: page, href }: SearchTarget): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  const where = document.createElement('small');
  where.textContent = page;
  link.append(title, where);
  item.append(link);
  return item;
}

export function addSearch(header: HTMLElement): void {
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search';
  input.setAttribute('aria-label', 'Search the documentation');
  const results = document.createElement('ul');
  const count = document.createElement('p');
  count.setAttribute('role', 'status');
  const search = document.createElement('div');
  search.className = 'search';
  search.setAttribute('role', 'search');
  search.append(input, count, results);
  header.querySelector('.name')!.after(search);
  const show = async () => {
    const query = input.value;
    const places = query.trim() ? await readIndex().catch(() => undefined) : [];
    // Discards outdated results: the user typed more while the index was loading.
    if (query !== input.value) return;
    const found = matchingTargets(places ?? [], query);
    results.replaceChildren(...found.map(resultOf));
    count.textContent = statusOf(query, places, found.length);
  };
  input.oninput = show;
  input.onkeydown = ({ key }) => {
    if (key === 'Enter') results.querySelector('a')?.click();
    if (key !== 'Escape') return;
    input.value = '';
    void show();
  };
}
