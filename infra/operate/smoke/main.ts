/** `npm run smoke`: whether a stage works, from outside. */
import { runSmoke } from './cli.ts';

process.exitCode = await runSmoke(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: console.error,
});
