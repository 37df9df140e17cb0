/** Entry point of `npm run console -- --stage <stage>`, which starts the operator's console on this machine. */
import { optionsOrExit } from '../../common/arguments.ts';
import { explainError } from '../admin/explain-error.ts';
import { readServiceTime } from '../admin/service-time.ts';
import { enterStage } from '../admin/use-stage.ts';
import { parseConsoleOptions, usage } from './options.ts';
import { startConsole } from './server.ts';

async function main(): Promise<void> {
  const { stage, port } = optionsOrExit(usage, () => parseConsoleOptions(process.argv.slice(2)));
  await enterStage(stage, console.error);
  // Reads the table once, so that missing credentials fail at the start and not on every page.
  await readServiceTime();
  const { link } = await startConsole({ stage, port });
  console.log(
    `\nOperator console for ${stage}. The link gives full access, so keep it private:\n\n  ${link}\n\nPress Ctrl-C to stop the console.\n`,
  );
}

main().catch((error: unknown) => {
  console.error(explainError(error));
  process.exitCode = 1;
});
