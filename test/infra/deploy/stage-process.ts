/**
 * Runs a local stage on a table of a running DynamoDB. Prints the stage's URL, environment, organization, API key and
 * user. For each input line, a JSON array of arguments, runs an operator's command and prints its result.
 */
import { createInterface } from 'node:readline';
import { startLocalStage } from '../../../infra/develop/local/stage.ts';
import { createStartData } from '../../../infra/develop/local/welcome.ts';
import { runCommand } from '../../../infra/operate/admin/cli.ts';

const [endpoint = '', tableName = ''] = process.argv.slice(2);
const print = (result: object) => process.stdout.write(`> ${JSON.stringify(result)}\n`);

const stage = await startLocalStage({
  port: 0,
  tableName,
  data: 'in the running DynamoDB',
  startDatabase: async () => ({ endpoint, stop: async () => {} }),
  // Ignores errors of workers, because DynamoDB Local first refuses to read the stream of a restored table.
  onWorkerFailure: () => {},
});
print({ base_url: stage.baseUrl, environment: stage.environment, ...(await createStartData(stage)) });
for await (const line of createInterface({ input: process.stdin })) {
  let text = '';
  const out = (more: string) => {
    text += more;
  };
  print({ code: await runCommand(JSON.parse(line), { out, error: () => {} }), text });
}
await stage.stop();
process.exit(0);
