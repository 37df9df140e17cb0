/** Entry point of `npm run smoke`, which tests a stage from outside, over HTTP. */
import { terminal } from '../admin/cli.ts';
import { runSmoke } from './cli.ts';

process.exitCode = await runSmoke(process.argv.slice(2), terminal);
