import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiDocument } from '../../../shared/api/openapi/document.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { operationsSource } from './operations.ts';

const root = join(import.meta.dirname, '../../..');
const client = join(root, 'shared/client');

export const operationsFile = join(client, 'operations.ts');
export const pythonFile = join(client, 'incentives.py');

export const currentOperations = () => operationsSource(openapiDocument(allRoutes, ''));
export const currentPython = () =>
  execFileSync('python3', [join(import.meta.dirname, 'operations.py'), pythonFile], {
    input: JSON.stringify(openapiDocument(allRoutes, '')),
    encoding: 'utf8',
  });

/** Overwrites the generated operations of both clients. Needs `python3`, 3.9 or newer. */
export function writeOperations(): void {
  writeFileSync(operationsFile, currentOperations());
  writeFileSync(pythonFile, currentPython());
}

/** Compiles and packs the client in `folder`. Throws if the client does not compile. */
export function packClient(folder: string): string {
  const built = join(folder, 'client');
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built, { recursive: true });
  const compile = ['-p', join(import.meta.dirname, 'tsconfig.json'), '--outDir', built];
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...compile], {
    stdio: 'pipe',
  });
  // Replaces `.ts` with `.js` in imports of type declarations, because some tools cannot resolve `.ts` imports.
  for (const file of readdirSync(built).filter((name) => name.endsWith('.d.ts'))) {
    const declarations = readFileSync(join(built, file), 'utf8');
    writeFileSync(join(built, file), declarations.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
  }
  for (const file of ['package.json', 'README.md']) copyFileSync(join(client, file), join(built, file));
  const pack = ['pack', built, '--pack-destination', folder, '--json', '--ignore-scripts', '--offline'];
  const packed = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8', cwd: folder, stdio: 'pipe' }));
  return join(folder, (Object.values(packed)[0] as { filename: string }).filename);
}
