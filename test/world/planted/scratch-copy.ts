import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bug } from './bug.ts';

/** Returns a file's text with the bug. Throws unless the text contains the code to replace exactly once. */
export function withBug({ name, file, from, to }: Bug, text: string): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${name}" does not fit ${file} in exactly one place`);
  }
  return before + to + after;
}

/** Calls `work` with the folder of a copy that contains the bug, and deletes the copy afterward. */
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
