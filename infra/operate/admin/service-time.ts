import { randomUUID } from 'node:crypto';
import { dynamodb } from '../../../shared/aws.ts';
import { get } from '../../../shared/table/client.ts';

// An answer says its second, and took a while.
const agreesMs = 2000;

/**
 * What time it is to the stage, in epoch milliseconds: as its table's answers say, if this machine's clock
 * does not agree. A change is recorded with its time, and the clock of an operator's machine is nothing that
 * others could rely on.
 */
export async function serviceTime(): Promise<number> {
  let date: string | undefined;
  const { middlewareStack } = dynamodb();
  // Commands can run at the same time in one process: each has its own.
  const name = `noteDate ${randomUUID()}`;
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers?: Record<string, string> }).headers?.date;
      return result;
    },
    { step: 'deserialize', priority: 'low', name },
  );
  await get({ pk: 'CLOCK', sk: 'CLOCK' }).finally(() => middlewareStack.remove(name));
  const [ours, theirs] = [Date.now(), Date.parse(date ?? '')];
  return Math.abs(theirs - ours) > agreesMs ? theirs : ours;
}
