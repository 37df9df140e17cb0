import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bug } from './bug.ts';

/** The text of a file with a bug in it. Throws if the bug does not fit the text in exactly one place. */
export function withBug({ name, file, from, to }: Bug, text: string): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${name}" does not fit ${file} in exactly one place`);
  }
  return before + to + after;
}

/** Does work in a copy of a repository's tracked files that has a bug in it, and removes the copy. */
export async function inCopyWithBug<T>(
  root: string,
  bug: Bug,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const build = join(root, '.build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, 'planted-'));
  try {
    for (const file of trackedFiles(root)) cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const place = join(folder, bug.file);
    writeFileSync(place, withBug(bug, readFileSync(place, 'utf8')));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const trackedFiles = (root: string) =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
