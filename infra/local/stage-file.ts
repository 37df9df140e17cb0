import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../.local');
const path = join(folder, 'stage.json');

/** What the local stage leaves for other commands while it runs, as `.local/stage.json`. */
export type StageFile = {
  pid: number;
  base_url: string;
  organization_id: string;
  api_key: string;
  user_id: string;
  table_name: string;
  dynamodb_endpoint: string;
};

/** The running local stage's file, or undefined where none runs; a file whose process is gone counts as none. */
export function readStageFile(): StageFile | undefined {
  try {
    const stage = JSON.parse(readFileSync(path, 'utf8')) as StageFile;
    process.kill(stage.pid, 0);
    return stage;
  } catch {
    return undefined;
  }
}

/** Writes the file, for its owner's eyes only: it holds an API key. */
export function writeStageFile(stage: StageFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(stage, null, 2)}\n`, { mode: 0o600 });
}

/** Takes the file away again. */
export function removeStageFile(): void {
  rmSync(folder, { recursive: true, force: true });
}
