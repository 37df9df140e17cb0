/** Turns the days of a test world into books and files. Tests can forge them with the operator's keys. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonical, daysAfter, hexDigest, newTree } from './plain.ts';
import { hashOf, idOf, type Rec, type Settings, type World } from './world.ts';

/** Returns an operator's key pair, derived from a name. */
export function keyOf(name: string) {
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(hexDigest(name), 'hex'),
  ]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32);
  const typed = Buffer.concat([Buffer.of(1), publicKey]);
  const id = hexDigest(Buffer.concat([Buffer.from('incentives\n'), typed])).slice(0, 8);
  return {
    line: `incentives+${id}+${typed.toString('base64')}`,
    note: (text: string) => {
      const signature = Buffer.concat([Buffer.from(id, 'hex'), sign(null, Buffer.from(text), secret)]);
      return `${text}\n— incentives ${signature.toString('base64')}\n`;
    },
  };
}
export type Key = ReturnType<typeof keyOf>;

type Header = Record<string, unknown> & { secrets: Record<string, string> };
export type Head = Record<string, unknown> & {
  tables: Record<string, unknown>;
  secrets: Record<string, string>;
};
/** A day to write as a book. Tests replace `header`, `head` and `lines` to change what is signed. */
export type Day = {
  day: string;
  records: Rec[];
  secretOf: (day: string) => string;
  settings: Settings;
  header: (header: Header) => Header;
  head: (head: Head) => Head;
  lines: (lines: string[]) => string[];
};
export type Books = {
  organizationId: string;
  key: Key;
  tables: Map<string, unknown>;
  days: Day[];
};

/** Returns the budgets in an outcome's record, so that a test can change them. */
export const budgetsOf = (rec: Rec) =>
  rec.budgets as {
    cash: { grants: number; granted: number; limit: number };
    stock?: { grants: number; out?: string[]; number?: number };
    wins?: { granted: number; limit: number };
  };

/** Returns the totals of a day without records. `add` adds a record to them. */
export function newTotals() {
  const both = () => ({ credited: 0, debited: 0 });
  const counts: Record<string, number> = {
    tickets: 0,
    entries: 0,
    outcomes: 0,
    orders: 0,
    claims: 0,
    actions: 0,
  };
  const accounts: Record<string, ReturnType<typeof both>> = {
    tickets: both(),
    truck: both(),
    flight: both(),
  };
  const spins: Record<string, number> = { regular: 0, amoe: 0, debug: 0 };
  const more = { cash: 0, ordered: 0 };
  const named = { secrets: new Set<string>(), tables: new Set<string>() };
  const outcome = (rec: Rec) => {
    spins[rec.debug ? 'debug' : String(rec.play_type)]!++;
    const { cash_usd = 0 } = rec.prize as Record<string, number>;
    if (rec.debug !== 'jackpot') more.cash += cash_usd;
    if (rec.secret_day) named.secrets.add(String(rec.secret_day));
    named.tables.add(String(rec.prize_table_version));
  };
  const add = (rec: Rec) => {
    counts[rec.kind]!++;
    if (rec.kind === 'outcomes') outcome(rec);
    if (rec.kind === 'orders') more.ordered += Number(rec.num_of_spins);
    if (rec.kind !== 'tickets' && rec.kind !== 'entries') return;
    const amount = Number(rec.amount);
    const account = accounts[String(rec.entry_type ?? 'tickets')]!;
    if (amount > 0) account.credited += amount;
    else account.debited -= amount;
  };
  return { counts, accounts, spins, more, named, add };
}

type DayFacts = {
  books: Books;
  day: Day;
  totals: ReturnType<typeof newTotals>;
  tree: Pick<ReturnType<typeof newTree>, 'size' | 'root'>;
  previous: string | null;
};

/** Returns the signed text of a day's book, and the first line of the day's records file. */
export function bookOfDay({ books, day, totals, tree, previous }: DayFacts) {
  const { organizationId: organization_id, key } = books;
  const { counts, accounts, spins, more, named } = totals;
  const earlier = [...named.secrets].filter((of) => of !== day.day).map((of) => [of, day.secretOf(of)]);
  const ahead = daysAfter(day.day, 2);
  const header = day.header({
    format: 1,
    organization_id,
    day: day.day,
    stage: 'staging',
    previous,
    counts,
    sums: { ...accounts, cash_usd: more.cash, spins, spins_ordered: more.ordered },
    secrets: { [day.day]: day.secretOf(day.day) },
    fingerprints: { [ahead]: hexDigest(Buffer.from(day.secretOf(ahead), 'hex')) },
    settings: day.settings,
  });
  const head = day.head({
    format: 1,
    organization_id,
    day: day.day,
    key: key.line,
    tables: Object.fromEntries([...named.tables].map((version) => [version, books.tables.get(version)])),
    secrets: Object.fromEntries(earlier),
  });
  const lines = [`incentives/${organization_id}/${day.day}`, tree.size(), tree.root().toString('base64')];
  return { text: `${lines.join('\n')}\n${canonical(header)}\n`, head: canonical(head) };
}

/** Returns the books of a world, from its first day to its last day with records. */
export function booksOf(world: World, keyName = 'operator'): Books {
  const { organizationId, tables, secretOf } = world;
  const [first = ''] = world.days.keys();
  const last = [...world.days.keys()].at(-1)!;
  const days: Day[] = [];
  let settings: Settings = {};
  for (let day = first; day <= last; day = daysAfter(day, 1)) {
    const records = structuredClone(world.days.get(day) ?? []);
    for (const { kind, after } of records) {
      if (kind === 'actions') settings = { ...settings, ...(after as Settings) };
    }
    const same = <T>(value: T) => value;
    days.push({ day, records, secretOf, settings, header: same, head: same, lines: same });
  }
  return { organizationId, key: keyOf(keyName), tables: new Map(tables), days };
}

/** Returns the chains of records in the books: one chain per user, and one chain of actions. */
function historiesOf(books: Books): Rec[][] {
  const chains = new Map<string, Rec[]>();
  for (const rec of books.days.flatMap(({ records }) => sorted(records))) {
    const of = String(rec.user_id ?? '');
    chains.set(of, [...(chains.get(of) ?? []), rec]);
  }
  return [...chains.values()];
}

const ulidIn = (rec: Rec) => idOf(rec).split('_')[1]!;
const sorted = (records: readonly Rec[]) => records.toSorted((a, b) => (ulidIn(a) < ulidIn(b) ? -1 : 1));

/** Recomputes the hash of every record, as a forger would. Keeps `texts`, the digests of hosts' texts. */
export function rehash(books: Books): Books {
  for (const chain of historiesOf(books)) {
    let previous = '';
    for (const rec of chain) {
      rec.hash = hashOf(rec, previous);
      previous = rec.hash;
    }
  }
  return books;
}

/** Recomputes the numbers, balances and hashes of all records, like a forger who keeps the chains consistent. */
export function recompute(books: Books): Books {
  for (const chain of historiesOf(books)) {
    const numbers: Record<string, number> = {};
    const balances: Record<string, number> = {};
    const count = (of: string) => {
      numbers[of] = (numbers[of] ?? 0) + 1;
      return numbers[of];
    };
    for (const [i, rec] of chain.entries()) {
      rec.sequence = i + 1;
      if (rec.kind !== 'actions') rec.number = count(rec.kind);
      if (rec.event_sequence !== undefined) rec.event_sequence = count('events');
      if (rec.kind === 'entries') rec.number_of_type = count(String(rec.entry_type));
      if (rec.amount === undefined) continue;
      const account = String(rec.entry_type ?? rec.kind);
      balances[account] = (balances[account] ?? 0) + Number(rec.amount);
      rec.balance_after = balances[account];
    }
  }
  return rehash(books);
}

/** The contents of files of books and records, by file name. */
export type Files = Map<string, string>;

/** Signs the books and returns their files. */
export function filesOf(books: Books): Files {
  const files: Files = new Map();
  let previous: string | null = null;
  for (const day of books.days) {
    const totals = newTotals();
    const tree = newTree();
    for (const rec of day.records) totals.add(rec);
    const lines = day.lines(sorted(day.records).map(canonical));
    for (const line of lines) tree.add(line);
    const { text, head }: { text: string; head: string } = bookOfDay({ books, day, totals, tree, previous });
    const stem = `${books.organizationId}.${day.day}`;
    files.set(`${stem}.book`, books.key.note(text));
    files.set(`${stem}.records`, [head, ...lines, ''].join('\n'));
    previous = hexDigest(text);
  }
  return files;
}

export function keptLine(files: Files, name: string): string {
  const text = files.get(name)!.split('\n\n—')[0]!;
  const [, organization, day] = text.split('\n')[0]!.split('/');
  return `${organization} ${day} ${hexDigest(`${text}\n`)}`;
}

/** Writes files to a temporary folder and calls `use` with the folder's path. Deletes the folder afterwards. */
export async function inFolder<T>(
  files: Map<string, string | Uint8Array>,
  use: (folder: string) => T | Promise<T>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'books-'));
  try {
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
