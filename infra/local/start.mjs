// Plain JavaScript, so that any Node can read it and say what is missing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const major = Number(process.versions.node.split('.')[0]);
const installed = existsSync(
  join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../node_modules/esbuild'),
);
if (!installed) {
  console.error('\nThe packages are not installed yet. Run: npm ci\n');
  process.exit(1);
}
if (major < 24) {
  console.error(`\nThis is Node ${process.versions.node}; the service runs on Node 24, which npm ci installs beside the other packages
on Linux, macOS and Windows (x64, and arm64 of the first two). Run \`npm ci\`, then start it with \`npm start\`;
on another machine install Node 24 first.\n`);
  process.exit(1);
}
await import('./main.ts');
