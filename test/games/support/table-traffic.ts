/** What goes between this process and the table, seen and disturbed from inside the SDK's client. */
import '../../support/api.ts';

const middlewareOf = async () => (await import('../../../shared/table/client.ts')).client.middlewareStack;

/** Runs something and names the commands that it sent to the table, in their order. */
export async function countTrips<T>(work: () => Promise<T>): Promise<{ result: T; commands: string[] }> {
  const commands: string[] = [];
  const stack = await middlewareOf();
  stack.add(
    (next, context) => (args) => {
      commands.push(sdkName(String(context.commandName)));
      return next(args);
    },
    { step: 'initialize', name: 'countTrips' },
  );
  try {
    return { result: await work(), commands };
  } finally {
    stack.remove('countTrips');
  }
}

/** Lets so many commands of a kind reach the table and loses their answers; undone by calling what it answers. */
export async function loseAnswers(command: string, losses: number): Promise<() => void> {
  const stack = await middlewareOf();
  let left = losses;
  stack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (sdkName(String(context.commandName)) !== command || left-- <= 0) return answer;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
    },
    { step: 'initialize', name: 'loseAnswers' },
  );
  return () => stack.remove('loseAnswers');
}

const documentNames: Record<string, string> = {
  GetCommand: 'GetItemCommand',
  BatchGetCommand: 'BatchGetItemCommand',
  PutCommand: 'PutItemCommand',
  UpdateCommand: 'UpdateItemCommand',
  TransactWriteCommand: 'TransactWriteItemsCommand',
};
const sdkName = (name: string) => documentNames[name] ?? name;
