/** Entry point of `npm run console -- --stage <stage>`, which starts the operator's console on this machine. */
import { optionsOrUsage } from '../../common/arguments.ts';
import { explainError } from '../admin/explain-error.ts';
import { serviceTime } from '../admin/service-time.ts';
import { useStage } from '../admin/use-stage.ts';
import { optionsOf, usage } from './options.ts';
import { startConsole } from './server.ts';

async function main(): Promise<void> {
  const { stage, port } = optionsOrUsage(usage, () => optionsOf(process.argv.slice(2)));
  await useStage(stage, console.error);
  // Reads the table once, so that missing credentials fail at the start and not on every page.
  await serviceTime();
  const { link } = await startConsole({ stage, port });
  console.log(
    `\nOperator console for ${stage}. The link gives full access, so keep it private:\n\n  ${link}\n\nPress Ctrl-C to stop the console.\n`,
  );
}

main().catch((error: unknown) => {
  console.error(explainError(error));
  process.exitCode = 1;
});
