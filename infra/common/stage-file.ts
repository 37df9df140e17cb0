import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.ts';

// Folder of the local stage's file. Local stages that run at the same time need different folders.
const folder = resolve(process.env.LOCAL_STAGE_FOLDER ?? join(import.meta.dirname, '../../.local'));

export const stageFilePath = join(folder, 'stage.json');

export type StageFile = {
  pid: number;
  base_url: string;
  organization_id: string;
  api_key: string;
  user_id: string;
  demo: { organization_id: string; api_key: string };
  table_name: string;
  dynamodb_endpoint: string;
  environment: Record<string, string>;
};

export function readStageFile(): StageFile | undefined {
  try {
    const stage = JSON.parse(readFileSync(stageFilePath, 'utf8')) as StageFile;
    process.kill(stage.pid, 0);
    return stage;
  } catch {
    return undefined;
  }
}

/** Throws a Problem if no local stage is running. */
export function requireStageFile(): StageFile {
  const running = readStageFile();
  if (running) return running;
  throw new Problem(
    `No local stage is running (${stageFilePath}). Start one in another terminal: npm start. If it was started with ` +
      'LOCAL_STAGE_FOLDER, set that variable here too.',
  );
}

/** Writes the local stage's file. Only the file's owner can read the file, because the file contains an API key. */
export function writeStageFile(stage: StageFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(stageFilePath, `${JSON.stringify(stage, null, 2)}\n`, { mode: 0o600 });
}

/** Deletes the file's folder too if the folder is then empty. */
export function removeStageFile(): void {
  rmSync(stageFilePath, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
