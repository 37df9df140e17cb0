import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.ts';

// LOCAL_STAGE_FOLDER lets several local stages run side by side.
const folder = resolve(process.env.LOCAL_STAGE_FOLDER ?? join(import.meta.dirname, '../../.local'));

/** Path of the running local stage's file. */
export const stageFilePath = join(folder, 'stage.json');

/** Contents of `.local/stage.json`, which the local stage writes for other commands while it runs. */
export type StageFile = {
  pid: number;
  base_url: string;
  organization_id: string;
  api_key: string;
  user_id: string;
  /** The organization of the demo host app. */
  demo: { organization_id: string; api_key: string };
  table_name: string;
  dynamodb_endpoint: string;
  /** Environment variables with which another process finds all parts of the stage. */
  environment: Record<string, string>;
};

/** Returns the running local stage's file, or undefined if its process is gone. */
export function readStageFile(): StageFile | undefined {
  try {
    const stage = JSON.parse(readFileSync(stageFilePath, 'utf8')) as StageFile;
    process.kill(stage.pid, 0);
    return stage;
  } catch {
    return undefined;
  }
}

/** Returns the running local stage's file. Throws a Problem with the path if there is none. */
export function requireStageFile(): StageFile {
  const running = readStageFile();
  if (running) return running;
  throw new Problem(
    `No local stage is running, going by ${stageFilePath}. Start one in another terminal: npm start. For one that was ` +
      'started with LOCAL_STAGE_FOLDER, set it here too.',
  );
}

/** Writes the file, readable by its owner only, because it holds an API key. */
export function writeStageFile(stage: StageFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(stageFilePath, `${JSON.stringify(stage, null, 2)}\n`, { mode: 0o600 });
}

/** Deletes the file, and its folder unless it contains something else, such as kept data. */
export function removeStageFile(): void {
  rmSync(stageFilePath, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
