/** The operator's command line: JSON on stdout, all else on stderr. */
import { runCommand } from './cli.ts';

process.exitCode = await runCommand(process.argv.slice(2), { out: console.log, error: console.error });
