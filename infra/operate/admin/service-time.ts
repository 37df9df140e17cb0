import { randomUUID } from 'node:crypto';
import { dynamodb } from '../../../shared/aws.ts';
import { get } from '../../../shared/table/client.ts';

// The Date header counts whole seconds, and the response takes time.
const agreesMs = 2000;

/**
 * Returns the stage's time in epoch milliseconds. Uses this machine's clock if it agrees with the table's
 * responses, otherwise the responses' time. Records must not carry the time of an operator's wrong clock.
 */
export async function serviceTime(): Promise<number> {
  let date: string | undefined;
  const { middlewareStack } = dynamodb();
  // A unique name per call, because commands can run concurrently in one process.
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
