import { randomUUID } from 'node:crypto';
import { dynamodb } from '../../../shared/aws.ts';
import { parseHttpDate } from '../../../shared/http-date.ts';
import { getItem } from '../../../shared/table/client.ts';

// Maximum difference (milliseconds) between a correct clock and DynamoDB's Date header, which has whole seconds and
// arrives late.
const maxDifferenceMs = 2000;

/** Returns epoch milliseconds: this machine's time, or DynamoDB's if the two differ by more than two seconds. */
export async function readServiceTime(): Promise<number> {
  let date: string | undefined;
  const { middlewareStack } = dynamodb();
  // Gives the middleware a unique name: the AWS SDK rejects duplicate names, and commands can run concurrently.
  const name = `noteDate ${randomUUID()}`;
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers?: Record<string, string> }).headers?.date;
      return result;
    },
    { step: 'deserialize', priority: 'low', name },
  );
  await getItem({ pk: 'CLOCK', sk: 'CLOCK' }).finally(() => middlewareStack.remove(name));
  const [machineMs, serviceMs] = [Date.now(), parseHttpDate(date ?? '') ?? Number.NaN];
  return Math.abs(serviceMs - machineMs) > maxDifferenceMs ? serviceMs : machineMs;
}
