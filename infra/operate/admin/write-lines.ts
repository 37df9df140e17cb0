import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '../../common/problem.ts';

/** Writes a file that only its owner can read. Throws a Problem if opening fails. */
export async function writeLines(path: string, lines: AsyncIterable<string> | string[]): Promise<void> {
  const file = await opened(path).catch((error: Error) => {
    throw new Problem(`${path} can't be written: ${error.message}`);
  });
  let text = '';
  try {
    // Opening an existing file keeps its permissions.
    if ((await file.stat()).isFile()) await file.chmod(onlyOwner);
    for await (const line of lines) {
      text += `${line}\n`;
      if (text.length < writtenAtOnce) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
  } finally {
    await file.close();
  }
}
async function opened(path: string) {
  await mkdir(dirname(path), { recursive: true });
  return open(path, 'w', onlyOwner);
}
const onlyOwner = 0o600;
const writtenAtOnce = 1 << 20;
