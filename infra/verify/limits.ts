/** Limits a check's time and memory. The check runs in its own thread, so that the main thread can stop it. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Verdict } from '../../shared/books/check/verdict.ts';
import { type VerifyOptions, verifyBookFiles } from '../../shared/books/check/verify.ts';

export type CheckLimits = { minutes: number; gigabytes: number };

/** The message says which option raises the limit. */
export class LimitExceeded extends Error {}

type Message = { progress: number } | { verdict: Verdict };
type Input = { files: readonly string[]; options: Omit<VerifyOptions, 'onProgress'> };

/** Runs `verifyBookFiles` in a thread with limits. Throws LimitExceeded if the check exceeds a limit. */
export async function verifyWithin(
  { minutes, gigabytes }: CheckLimits,
  files: readonly string[],
  { onProgress, threadFile, ...options }: VerifyOptions & { threadFile: URL },
): Promise<Verdict> {
  const memoryMb = Math.ceil(gigabytes * 1024);
  const input: Input = { files, options };
  const worker = new Worker(threadFile, {
    workerData: { check: input },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const late = new LimitExceeded(`The check was not done after ${minutes} minutes (--minutes).`);
      timer = setTimeout(() => reject(late), minutes * 60_000);
      worker.on('message', (message: Message) => {
        if ('verdict' in message) resolve(message.verdict);
        else onProgress?.(message.progress);
      });
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const full = new LimitExceeded(`The check needs more than ${gigabytes} GB (--memory).`);
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? full : error);
      });
      worker.on('exit', () => reject(new Error('The check ended without a verdict.')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Runs the check in the thread that `verifyWithin` started. */
export function runCheckInThread(): void {
  const { files, options } = workerData.check as Input;
  const onProgress = (progress: number) => parentPort?.postMessage({ progress } satisfies Message);
  const verdict = verifyBookFiles(files, { ...options, onProgress });
  parentPort?.postMessage({ verdict } satisfies Message);
}
