/** The check of files of books and records, from their paths to the verdict. */
import { tally } from '../../shared/books/check/findings.ts';
import type { Asked, Found } from './check.ts';
import { checkOrganization } from './organization.ts';
import { startShares } from './shares.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { readVolumes, type Volume } from './volumes.ts';

/** What is asked for, and how it is carried out. */
export type VerifyOptions = Pick<Asked, 'key' | 'kept'> & {
  /** So many threads, each of which runs this file; none of them: all is checked in this one. */
  threads: number;
  threadFile: URL;
  /** Is told how much of the records was checked, from 0 to 1. */
  onProgress?: (share: number) => void;
};

/** Checks files. Throws only for what no file can be the cause of. */
export async function verify(files: readonly string[], options: VerifyOptions): Promise<Verdict> {
  const found: Found = { findings: new Map(), notices: new Map() };
  const volumes = await readVolumes(files, found.findings);
  const size = sizeOf(volumes);
  const shares = startShares(options.threads, options.threadFile);
  let done = 0;
  const onProgress = (bytes: number) => {
    done += bytes;
    options.onProgress?.(done / size);
  };
  const asked = { key: options.key, kept: options.kept, shares, onProgress };
  const organizations = [];
  try {
    for (const books of byOrganization(volumes)) {
      organizations.push(await checkReadable(books, found, asked));
    }
  } finally {
    await shares.close();
  }
  const checked = new Set(volumes.map(({ organizationId }) => organizationId));
  for (const line of options.kept) checkKeptElsewhere(line, checked, found);
  return verdictOf(
    found,
    organizations.filter((one) => one !== undefined),
  );
}

/** Checks an organization's books; undefined if a file cannot be read any more, which is found. */
async function checkReadable(books: readonly Volume[], found: Found, asked: Asked) {
  try {
    return await checkOrganization(books, found, asked);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const organization_id = books[0]!.organizationId;
    tally(found.findings, 'unreadable_file', { organization_id, sentence: message });
    return undefined;
  }
}

function checkKeptElsewhere(line: string, checked: ReadonlySet<string>, { findings }: Found) {
  const [organization_id = '', day = ''] = line.split(' ');
  if (checked.has(organization_id)) return;
  const sentence = `A line of the book of ${day} was kept.`;
  tally(findings, 'book_missing', { organization_id, day, sentence });
}

const sizeOf = (volumes: readonly Volume[]): number =>
  volumes.reduce((sum, { records }) => sum + (records?.size ?? 0), 0);

function byOrganization(volumes: readonly Volume[]): Volume[][] {
  const organizations = new Map<string, Volume[]>();
  for (const volume of volumes) {
    const books = organizations.get(volume.organizationId) ?? [];
    organizations.set(volume.organizationId, [...books, volume]);
  }
  return [...organizations.values()];
}
