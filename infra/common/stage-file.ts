import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.ts';

// Folder of the local stage's file. Local stages that run at the same time need different folders.
const folder = resolve(process.env.LOCAL_STAGE_FOLDER ?? join(import.meta.dirname, '../../.local'));

/** Path of the file that describes the running local stage. */
export const stageFilePath = join(folder, 'stage.json');

/**
 * Contents of `.local/stage.json`. The local stage writes the file when it starts and deletes the file when it stops.
 * Other commands find the stage by the file.
 */
export type StageFile = {
  pid: number;
  base_url: string;
  organization_id: string;
  api_key: string;
  user_id: string;
  /** Organization and API key of the demo app. */
  demo: { organization_id: string; api_key: string };
  table_name: string;
  dynamodb_endpoint: string;
  /** Environment variables for other processes that use the local AWS services. */
  environment: Record<string, string>;
};

/** Reads the running local stage's file. Returns undefined if there is no file or the stage's process has ended. */
export function readStageFile(): StageFile | undefined {
  try {
    const stage = JSON.parse(readFileSync(stageFilePath, 'utf8')) as StageFile;
    process.kill(stage.pid, 0);
    return stage;
  } catch {
    return undefined;
  }
}

/** Reads the running local stage's file. Throws a Problem if no local stage is running. */
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

/** Deletes the local stage's file. Deletes the file's folder too if the folder is then empty. */
export function removeStageFile(): void {
  rmSync(stageFilePath, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
