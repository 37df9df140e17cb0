import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isKeptLine } from '../../shared/books/book.ts';
import { listBookFiles } from '../../shared/books/check/files.ts';
import { parseVerifierKey } from '../../shared/note.ts';
import { LimitExceeded, verifyWithin } from './limits.ts';
import { verdictPage } from './page.ts';
import { progressBar } from './progress.ts';
import { summaryOf } from './summary.ts';

/** The usage text without the command's name, which differs between `npm run verify` and the bundle. */
export const usage = `<files or folders> [--key <verifier key>] [--kept "<kept line>"]... [--authority <fingerprint>]...
  [--page <file>] [--json]

Checks daily books (.book) against their records (.records), and drawings among entries with their public
files (.drawing), offline, and reports every finding.

  --key    the verifier key that the operator published: incentives+<id>+<key>
  --kept   a line that you kept of a book, "<organization> <day> <digest>", or of a drawing's list,
           "<organization> <drawing> <root>"; may be repeated
  --authority   the SHA-256 of a certificate of a timestamp authority that you trust; may be repeated
  --page   writes the result to an HTML page
  --json   prints the result as JSON

  --minutes, --memory   limits: the check stops after 60 minutes, or if it needs more than 4 GB

Exit codes: 0 for no findings, 1 for findings, 2 for a usage error, and 3 if the check itself failed or
exceeded a limit.`;

/** Thrown for wrong arguments: the command prints the usage and exits with code 2. */
class BadUsage extends Error {}

/** Returns the exit code. The usage begins with `command`; the checking thread runs `threadFile`. */
export async function runVerify(args: readonly string[], command: string, threadFile: URL): Promise<number> {
  try {
    return await run(args, threadFile);
  } catch (error) {
    if (error instanceof LimitExceeded) {
      console.error(`${error.message} This says nothing about the files.`);
      return 3;
    }
    if (!(error instanceof BadUsage)) {
      console.error('The check itself failed. This says nothing about the files:', error);
      return 3;
    }
    console.error(`${error.message}\n\nUsage: ${command} ${usage}`);
    return 2;
  }
}

async function run(args: readonly string[], threadFile: URL): Promise<number> {
  const { files, limits, key, kept, authority, page, json } = parsed(args);
  const progress = progressBar(process.stderr);
  const verdict = await verifyWithin(limits, files, {
    key,
    kept,
    authorities: authority.length > 0 ? authority.map(fingerprintIn) : undefined,
    threadFile,
    onProgress: progress.show,
  });
  progress.end();
  if (page !== undefined) orBadUsage(() => writeFileSync(page, verdictPage(verdict)));
  if (json) console.log(JSON.stringify(verdict, null, 2));
  (json ? console.error : console.log)(summaryOf(verdict));
  return verdict.verdict === 'good' ? 0 : 1;
}

function parsed(args: readonly string[]) {
  const { values, positionals } = orBadUsage(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        kept: { type: 'string', multiple: true, default: [] },
        authority: { type: 'string', multiple: true, default: [] },
        page: { type: 'string' },
        json: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '60' },
        memory: { type: 'string', default: '4' },
      },
    }),
  );
  const { key, kept, authority } = values;
  if (key !== undefined && !parseVerifierKey(key))
    throw new BadUsage(`--key: "${key}" is not a verifier key.`);
  for (const line of kept) {
    if (!isKeptLine(line)) {
      throw new BadUsage(`--kept: "${line}" is not a line of a book: <organization> <day> <digest>`);
    }
  }
  for (const text of authority) {
    if (!/^[0-9a-f]{64}$/.test(fingerprintIn(text)))
      throw new BadUsage(
        `--authority: "${text}" is not a certificate’s SHA-256 fingerprint of 64 hex digits.`,
      );
  }
  const limits = {
    minutes: numberOf('--minutes', values.minutes, [0, 10_000]),
    gigabytes: numberOf('--memory', values.memory, [0.01, 1000]),
  };
  const files = orBadUsage(() => listBookFiles(positionals));
  if (files.length === 0) throw new BadUsage('There are no .book or .records files to check.');
  return { ...values, files, limits };
}

const fingerprintIn = (text: string): string => text.replaceAll(':', '').toLowerCase();

function numberOf(option: string, value: string, [min, max]: [number, number]): number {
  // `Number` would also take `0x1F`, `1e3` and spaces.
  const number = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new BadUsage(`${option} must be a number from ${min} to ${max}.`);
  return number;
}

function orBadUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}
