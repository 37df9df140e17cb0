/** Prints the first difference between the simulation and DynamoDB Local. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { argumentsOf, optionsOrUsage, wholeNumber } from '../../../infra/common/arguments.ts';
import { startDynamodb } from '../../../infra/develop/local/dynamodb.ts';
import { compare, type Difference, localAt } from './differential.ts';

const commandsOfRun = 250;
const sideBySide = 4;

const usage = 'node infra/node24.mjs test/world/dynamodb/compare-many.ts [--commands 100000] [--seed any]';

const { commands, firstSeed } = optionsOrUsage(usage, () => {
  const { values } = argumentsOf({
    options: {
      commands: { type: 'string', default: '100000' },
      seed: { type: 'string', default: new Date().toISOString() },
    },
  });
  const commands = wholeNumber('--commands', values.commands, [1, 1_000_000_000]);
  return { commands, firstSeed: values.seed };
});
const runs = Math.ceil(commands / commandsOfRun);
console.log(`seed ${firstSeed}: ${runs} runs of ${commandsOfRun} commands`);
const { endpoint, stop } = await startDynamodb();
try {
  const found = await compareAll();
  if (found) console.log(JSON.stringify(found, undefined, 1));
  else console.log(`${runs * commandsOfRun} commands, no difference`);
  process.exitCode = found ? 1 : 0;
} finally {
  await stop();
}

async function compareAll(): Promise<Difference | undefined> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const local = localAt(endpoint);
  let [next, found]: [number, Difference | undefined] = [0, undefined];
  const worker = async () => {
    while (next < runs && !found) {
      const run = next++;
      if (run % 40 === 0) console.log(`${run * commandsOfRun} commands`);
      const seed = `${firstSeed}/${run}`;
      found = (await compare({ seed, commands: commandsOfRun, client, local })) ?? found;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return found;
}
