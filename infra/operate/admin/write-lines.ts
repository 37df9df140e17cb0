import { open } from 'node:fs/promises';
import { Problem } from '../../common/problem.ts';

/** Writes lines to a file. `mode` applies only if the file is new. Throws a Problem if opening the file fails. */
export async function writeLines(path: string, lines: AsyncGenerator<string>, mode?: number): Promise<void> {
  const file = await open(path, 'w', mode).catch((error: Error) => {
    throw new Problem(`${path} can't be written: ${error.message}`);
  });
  let text = '';
  try {
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
const writtenAtOnce = 1 << 20;
