/** Entry point of `npm run admin`. Prints results to stdout and messages to stderr. */
import { runCommand } from './cli.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: console.error,
});
