import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.ts';

// In LOCAL_STAGE_FOLDER if it is set, so that several stages can run side by side.
const folder = resolve(process.env.LOCAL_STAGE_FOLDER ?? join(import.meta.dirname, '../../.local'));

/** Where the running local stage's file is. */
export const stageFilePath = join(folder, 'stage.json');

/** What the local stage leaves for other commands while it runs, as `.local/stage.json`. */
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
  /** The variables with which another process finds all parts of the stage. */
  environment: Record<string, string>;
};

/** The running local stage's file, or undefined if none runs; a file whose process is gone counts as none. */
export function readStageFile(): StageFile | undefined {
  try {
    const stage = JSON.parse(readFileSync(stageFilePath, 'utf8')) as StageFile;
    process.kill(stage.pid, 0);
    return stage;
  } catch {
    return undefined;
  }
}

/** The running local stage's file. Throws a Problem that says where it was looked for if there is none. */
export function requireStageFile(): StageFile {
  const running = readStageFile();
  if (running) return running;
  throw new Problem(
    `No local stage is running, going by ${stageFilePath}. Start one in another terminal: npm start. For one that was ` +
      'started with LOCAL_STAGE_FOLDER, set it here too.',
  );
}

/** Writes the file, for its owner's eyes only: it holds an API key. */
export function writeStageFile(stage: StageFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(stageFilePath, `${JSON.stringify(stage, null, 2)}\n`, { mode: 0o600 });
}

/** Takes the file away again, and its folder with it unless something else lies there, such as kept data. */
export function removeStageFile(): void {
  rmSync(stageFilePath, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
