/** Runs the slices of a check: one in the calling thread, or each in its own worker thread. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { newSlice, type Slice } from './worker-slice.ts';

type Calls = {
  [call in keyof Slice]: (...args: Parameters<Slice[call]>) => Promise<ReturnType<Slice[call]>[]>;
};

/** The slices of a check. `all` calls every slice and returns the results in slice order. */
export type Slices = { all: Calls; close: () => Promise<void> };

const names: (keyof Slice)[] = [
  'begin',
  'check',
  'end',
  'strays',
  'ordersAmong',
  'openOrders',
  'ordersToClose',
];

/** Starts `threads` worker threads with one slice each. With 0 threads, one slice runs in the calling thread. */
export function startSlices({
  threads,
  threadFile,
  memoryMb,
}: {
  threads: number;
  threadFile?: URL;
  memoryMb?: number;
}): Slices {
  if (threads < 1) {
    const slice = newSlice(0, 1);
    return slicesOf([async (name, args) => call(slice, name, args)], async () => {});
  }
  const workers = Array.from(
    { length: threads },
    (_, index) =>
      new Worker(threadFile!, {
        workerData: { index, of: threads },
        ...(memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
      }),
  );
  const closeAll = async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
  return slicesOf(workers.map(callerOf), closeAll);
}

type Caller = (name: keyof Slice, args: unknown[]) => Promise<unknown>;

function slicesOf(callers: Caller[], close: Slices['close']): Slices {
  const all = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => Promise.all(callers.map((caller) => caller(name, args))),
    ]),
  );
  return { all: all as unknown as Calls, close };
}

const call = (slice: Slice, name: keyof Slice, args: unknown[]): unknown =>
  (slice[name] as (...args: unknown[]) => unknown)(...args);

type Request = { name: keyof Slice; args: unknown[] };
type Response = { result: unknown } | { error: unknown };

type PendingCall = { resolve: (result: unknown) => void; reject: (error: unknown) => void };

/**
 * Returns a function that calls a worker. Workers respond in order, so a response belongs to the oldest
 * waiting call.
 */
function callerOf(worker: Worker): Caller {
  const waiting: PendingCall[] = [];
  worker.on('message', (response: Response) => {
    const pending = waiting.shift();
    if ('error' in response) pending?.reject(response.error);
    else pending?.resolve(response.result);
  });
  let broken: { error: unknown } | undefined;
  worker.on('error', (error) => {
    broken = { error };
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  return (name, args) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken.error);
      waiting.push({ resolve, reject });
      worker.postMessage({ name, args } satisfies Request);
    });
}

/** Serves the calls to one slice in a worker thread, until the thread is terminated. */
export function serveSlice(): void {
  const slice = newSlice(workerData.index, workerData.of);
  parentPort?.on('message', ({ name, args }: Request) => {
    parentPort?.postMessage(answer(() => call(slice, name, args)));
  });
}

function answer(compute: () => unknown): Response {
  try {
    return { result: compute() };
  } catch (error) {
    return { error };
  }
}
