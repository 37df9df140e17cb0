/** The command `npm run verify`: checks books, or bundles the check into one file for outsiders. */
import { writeVerifyBundle } from './bundle.ts';
import { runVerify, usage } from './cli.ts';

const command = 'npm run verify --';
const args = process.argv.slice(2);
const [first, path] = args;
if (args.includes('--help'))
  console.log(
    `${command} ${usage}\n\n  --bundle <path>  bundles the check into one file that needs only Node`,
  );
else if (first === '--bundle' && path !== undefined && args.length === 2) await writeVerifyBundle(path);
else process.exitCode = await runVerify(args, command, new URL('./standalone.ts', import.meta.url));
