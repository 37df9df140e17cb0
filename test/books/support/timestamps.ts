import { type Authority, localAuthority } from '../../../infra/develop/local/authority.ts';
import { startOfDay } from '../../../shared/time.ts';
import { tokenFor } from '../../support/authority.ts';
import type { Files } from './books.ts';
import { canonical, daysAfter } from './plain.ts';

type Options = {
  authority?: Authority;
  /** Milliseconds by which the timestamp of a day is late. */
  lateMs?: Record<string, number>;
  /** Days whose books get no timestamp. */
  without?: string[];
};

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Adds timestamps to the files of books, by default five minutes after each book can be closed. */
export function timestamped(
  files: Files,
  { authority = localAuthority, lateMs = {}, without = [] }: Options = {},
): Files {
  const all: Files = new Map(files);
  for (const [name, note] of files) {
    const [, day = ''] = /\.(\d{4}-\d\d-\d\d)\.book$/.exec(name) ?? [];
    if (!day || without.includes(day)) continue;
    const at = startOfDay(daysAfter(day, 1)) + 65 * 60_000 + (lateMs[day] ?? 0);
    const timestampOf = (text: string, at: number) => ({
      token: base64(tokenFor(text, at, authority)),
      root: base64(authority.root.certificate.raw),
    });
    const records = name.replace('.book', '.records');
    const [head = '', ...lines] = files.get(records)!.split('\n');
    const fields = JSON.parse(head);
    const timestamp = timestampOf(note, at);
    all.set(records, [canonical({ ...fields, timestamp }), ...lines].join('\n'));
  }
  return all;
}
