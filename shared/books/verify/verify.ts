import { tally } from '../check/findings.ts';
import { type DayFiles, readBookFiles } from './book-files.ts';
import type { CheckOptions, CheckResults } from './check.ts';
import { checkOrganization } from './organization.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { startSlices } from './worker-slices.ts';

/** Options of a check, including how it uses worker threads. */
export type VerifyOptions = Pick<CheckOptions, 'key' | 'kept' | 'authorities'> & {
  /** The number of worker threads, each of which runs `threadFile`. With 0, the calling thread checks everything. */
  threads: number;
  /** The script of the worker threads. Absent if `threads` is 0. */
  threadFile?: URL;
  /** The maximum memory of a worker thread in megabytes. Defaults to Node's own limit. */
  memoryMb?: number;
  /** Called with the fraction of the records that have been checked so far, from 0 to 1. */
  onProgress?: (fraction: number) => void;
};

/** Checks files of books and records. Faults in the files become findings. Throws only if the check itself fails. */
export async function verify(files: readonly string[], options: VerifyOptions): Promise<Verdict> {
  const results: CheckResults = { findings: new Map(), notices: new Map() };
  const allDays = await readBookFiles(files, results.findings);
  const size = sizeOf(allDays);
  const slices = startSlices(options);
  let done = 0;
  const onProgress = (bytes: number) => {
    done += bytes;
    options.onProgress?.(done / size);
  };
  const { key, kept, authorities } = options;
  const checkOptions = { key, kept, authorities, slices, onProgress };
  const organizations = [];
  try {
    for (const books of byOrganization(allDays)) {
      organizations.push(await checkIfReadable(books, results, checkOptions));
    }
  } finally {
    await slices.close();
  }
  const checked = new Set(allDays.map(({ organizationId }) => organizationId));
  for (const line of options.kept) reportUnmatchedKeptLine(line, checked, results);
  return verdictOf(
    results,
    organizations.filter((one) => one !== undefined),
  );
}

/** Checks an organization's books. If a file is unreadable, adds a finding and returns undefined. */
async function checkIfReadable(
  books: readonly DayFiles[],
  results: CheckResults,
  checkOptions: CheckOptions,
) {
  try {
    return await checkOrganization(books, results, checkOptions);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const organization_id = books[0]!.organizationId;
    tally(results.findings, 'unreadable_file', { organization_id, sentence: message });
    return undefined;
  }
}

function reportUnmatchedKeptLine(line: string, checked: ReadonlySet<string>, { findings }: CheckResults) {
  const [organization_id = '', day = ''] = line.split(' ');
  if (checked.has(organization_id)) return;
  const sentence = `A line was kept for ${day}, but its book was not given.`;
  tally(findings, 'book_missing', { organization_id, day, sentence });
}

const sizeOf = (allDays: readonly DayFiles[]): number =>
  allDays.reduce((sum, { records }) => sum + (records?.size ?? 0), 0);

function byOrganization(allDays: readonly DayFiles[]): DayFiles[][] {
  const organizations = new Map<string, DayFiles[]>();
  for (const dayFiles of allDays) {
    const books = organizations.get(dayFiles.organizationId) ?? [];
    organizations.set(dayFiles.organizationId, [...books, dayFiles]);
  }
  return [...organizations.values()];
}
