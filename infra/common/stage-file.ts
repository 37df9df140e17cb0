import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.ts';

// With LOCAL_STAGE_FOLDER, several local stages can run at the same time.
const folder = resolve(process.env.LOCAL_STAGE_FOLDER ?? join(import.meta.dirname, '../../.local'));

/** Path of the running local stage's file. */
export const stageFilePath = join(folder, 'stage.json');

/** Contents of `.local/stage.json`. The local stage writes it for other commands while it runs. */
export type StageFile = {
  pid: number;
  base_url: string;
  organization_id: string;
  api_key: string;
  user_id: string;
  /** Organization of the demo app. */
  demo: { organization_id: string; api_key: string };
  table_name: string;
  dynamodb_endpoint: string;
  /** Environment variables with which another process reaches the local AWS services. */
  environment: Record<string, string>;
};

/** Returns the running local stage's file, or undefined if its process has ended. */
export function readStageFile(): StageFile | undefined {
  try {
    const stage = JSON.parse(readFileSync(stageFilePath, 'utf8')) as StageFile;
    process.kill(stage.pid, 0);
    return stage;
  } catch {
    return undefined;
  }
}

/** Returns the running local stage's file. Throws a Problem if no local stage is running. */
export function requireStageFile(): StageFile {
  const running = readStageFile();
  if (running) return running;
  throw new Problem(
    `No local stage is running (${stageFilePath}). Start one in another terminal: npm start. If it was started with ` +
      'LOCAL_STAGE_FOLDER, set that variable here too.',
  );
}

/** Writes the file, readable by its owner only, because it holds an API key. */
export function writeStageFile(stage: StageFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(stageFilePath, `${JSON.stringify(stage, null, 2)}\n`, { mode: 0o600 });
}

/** Deletes the file. Deletes its folder too, unless that contains kept data. */
export function removeStageFile(): void {
  rmSync(stageFilePath, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
