/** The operator's command line: JSON, or CSV, on stdout, all else on stderr. */
import { runCommand } from './cli.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: console.error,
});
