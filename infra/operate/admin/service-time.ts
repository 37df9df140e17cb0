import { randomUUID } from 'node:crypto';
import { dynamodb } from '../../../shared/aws.ts';
import { get } from '../../../shared/table/client.ts';

// Maximum difference (milliseconds) between a correct local clock and the Date header of a response. A
// difference arises because the header has whole seconds and the response takes time to arrive.
const agreesMs = 2000;

/**
 * Returns the current time in epoch milliseconds: from this machine's clock if it agrees with the Date header
 * of a DynamoDB response, otherwise from the header. Records thus never contain the time of an operator's
 * wrong clock.
 */
export async function serviceTime(): Promise<number> {
  let date: string | undefined;
  const { middlewareStack } = dynamodb();
  // Gives the middleware a unique name, because commands can run concurrently in one process.
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
