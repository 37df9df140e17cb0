/** Entry point of `npm run console -- --stage <stage>`, which starts the operator's console on this machine. */
import { parseArgs } from 'node:util';
import { Problem } from '../../common/problem.ts';
import { stageNames } from '../admin/cli.ts';
import { explain } from '../admin/explain.ts';
import { serviceTime } from '../admin/service-time.ts';
import { useStage } from '../admin/use-stage.ts';
import { startConsole } from './server.ts';

async function main(): Promise<void> {
  const { stage, port } = optionsOf(process.argv.slice(2));
  await useStage(stage, console.error);
  // Reads the table once, so that missing credentials fail at the start and not on every page.
  await serviceTime();
  const { link } = await startConsole({ stage, port });
  console.log(
    `\nOperator console for ${stage}. The link gives full access, so keep it private:\n\n  ${link}\n\nPress Ctrl-C to stop the console.\n`,
  );
}

function optionsOf(args: string[]) {
  const { values } = parseArgs({ args, options: { stage: { type: 'string' }, port: { type: 'string' } } });
  const stage = stageNames.find((name) => name === values.stage);
  if (!stage) throw new Problem(`Specify a stage: npm run console -- --stage ${stageNames.join('|')}`);
  const port = Number(values.port ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { stage, port };
  throw new Problem(`--port must be a whole number from 0 to 65535, but is "${values.port}".`);
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
