/** The shares of a check, all in this thread or each in one of its own. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { newShare, type Share } from './share.ts';

type Calls = {
  [call in keyof Share]: (...args: Parameters<Share[call]>) => Promise<ReturnType<Share[call]>[]>;
};

/** All shares: each call goes to every one of them, and its results come in their order. */
export type Shares = { all: Calls; close: () => Promise<void> };

const names: (keyof Share)[] = ['begin', 'check', 'end', 'strays', 'ordersAmong', 'openOrders'];

/** So many shares, each in a thread that runs this file; none of them: one share in this thread. */
export function startShares(threads: number, file: URL): Shares {
  if (threads < 1) {
    const share = newShare(0, 1);
    return sharesOf([async (name, args) => call(share, name, args)], async () => {});
  }
  const workers = Array.from(
    { length: threads },
    (_, index) => new Worker(file, { workerData: { index, of: threads } }),
  );
  const closeAll = async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
  return sharesOf(workers.map(callerOf), closeAll);
}

type Caller = (name: keyof Share, args: unknown[]) => Promise<unknown>;

function sharesOf(callers: Caller[], close: Shares['close']): Shares {
  const all = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => Promise.all(callers.map((caller) => caller(name, args))),
    ]),
  );
  return { all: all as unknown as Calls, close };
}

const call = (share: Share, name: keyof Share, args: unknown[]): unknown =>
  (share[name] as (...args: unknown[]) => unknown)(...args);

type Request = { name: keyof Share; args: unknown[] };
type Response = { result: unknown } | { error: unknown };

type Asked = { resolve: (result: unknown) => void; reject: (error: unknown) => void };

/** A thread answers in the order in which it is asked. */
function callerOf(worker: Worker): Caller {
  const waiting: Asked[] = [];
  worker.on('message', (response: Response) => {
    const asked = waiting.shift();
    if ('error' in response) asked?.reject(response.error);
    else asked?.resolve(response.result);
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

/** What a thread of a share does: it answers until it is ended. */
export function serveShare(): void {
  const share = newShare(workerData.index, workerData.of);
  parentPort?.on('message', ({ name, args }: Request) => {
    parentPort?.postMessage(answer(() => call(share, name, args)));
  });
}

function answer(of: () => unknown): Response {
  try {
    return { result: of() };
  } catch (error) {
    return { error };
  }
}
