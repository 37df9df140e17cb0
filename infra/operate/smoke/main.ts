/** Entry point of `npm run smoke`, which tests a stage from outside, over HTTP. */
import { runSmoke } from './cli.ts';

process.exitCode = await runSmoke(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: console.error,
});
