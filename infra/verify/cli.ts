/** The command line of the check. */
import { statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isKeptLine } from '../../shared/books/book.ts';
import { signerOf } from '../../shared/books/note.ts';
import { filesAmong } from './book-files.ts';
import { pageOf } from './page.ts';
import { progressBar } from './progress.ts';
import { summaryOf } from './summary.ts';
import { verify } from './verify.ts';

/** How the command is used; the name of the command comes before it. */
export const usage = `<files or folders> [--key <verifier key>] [--kept "<line to keep>"]... [--page <file>] [--json]

Checks books of days (.book) with their records (.records), offline, and says what it found.

  --key    the key that the operator published: incentives+<id>+<key>
  --kept   a line of a book that was kept, "<organization> <day> <digest>"; may be given more than once
  --page   writes what was checked and found into one HTML page
  --json   prints the verdict as JSON

The exit code is 0 if nothing was found, 1 if something was, 2 if the command was not understood, and 3 if the check
itself failed: then it says nothing of the files.`;

/** The command was not understood. */
class BadUsage extends Error {}

/** Runs the check with a command's arguments, in threads of this file. Returns its exit code. */
export async function runVerify(args: readonly string[], threadFile: URL): Promise<number> {
  try {
    return await run(args, threadFile);
  } catch (error) {
    if (!(error instanceof BadUsage)) {
      console.error('The check itself failed, and says nothing of the files:', error);
      return 3;
    }
    console.error(`${error.message}\n\nUsage: ${usage}`);
    return 2;
  }
}

async function run(args: readonly string[], threadFile: URL): Promise<number> {
  const { files, key, kept, page, json } = parsed(args);
  const progress = progressBar(process.stderr);
  const verdict = await verify(files, {
    key,
    kept,
    threads: threadsFor(files),
    threadFile,
    onProgress: progress.show,
  });
  progress.end();
  if (page !== undefined) orBadUsage(() => writeFileSync(page, pageOf(verdict)));
  if (json) console.log(JSON.stringify(verdict, null, 2));
  (json ? console.error : console.log)(summaryOf(verdict));
  return verdict.verdict === 'good' ? 0 : 1;
}

// Smaller files are checked before a thread has begun.
const worthThreads = 16 * 2 ** 20;

function threadsFor(files: readonly string[]): number {
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return size < worthThreads ? 0 : Math.min(4, Math.max(2, availableParallelism()));
}

function parsed(args: readonly string[]) {
  const { values, positionals } = orBadUsage(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        kept: { type: 'string', multiple: true, default: [] },
        page: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }),
  );
  const { key, kept } = values;
  if (key !== undefined && !signerOf(key)) throw new BadUsage(`--key: "${key}" is no verifier key.`);
  for (const line of kept) {
    if (!isKeptLine(line)) {
      throw new BadUsage(`--kept: "${line}" is no line of a book.`);
    }
  }
  const files = orBadUsage(() => filesAmong(positionals));
  if (files.length === 0) throw new BadUsage('There are no books to be checked.');
  return { ...values, files };
}

function orBadUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}
