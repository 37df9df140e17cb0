/** Entry point of `npm run admin`. */
import { runCommand, terminal } from './cli.ts';

process.exitCode = await runCommand(process.argv.slice(2), terminal);
