import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiDocument } from '../../../shared/api/openapi/document.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { operationsSource } from './operations.ts';

const root = join(import.meta.dirname, '../../..');
const client = join(root, 'shared/client');

/** The file of the client that follows from the OpenAPI document. */
export const operationsFile = join(client, 'operations.ts');

/** What that file has to be for the endpoints as they are. */
export const currentOperations = () => operationsSource(openapiDocument(allRoutes, ''));

/** Writes that file anew. */
export const writeOperations = () => writeFileSync(operationsFile, currentOperations());

/**
 * Compiles the client to JavaScript with its types and packs it, all in a folder. Returns the path of the package,
 * which `npm install` takes. Throws if it does not compile.
 */
export function packClient(folder: string): string {
  const built = join(folder, 'client');
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built, { recursive: true });
  const compile = ['-p', join(import.meta.dirname, 'tsconfig.json'), '--outDir', built];
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...compile], {
    stdio: 'pipe',
  });
  // The compiler leaves the names of sources in declarations, where not every tool looks for what became of them.
  for (const file of readdirSync(built).filter((name) => name.endsWith('.d.ts'))) {
    const declarations = readFileSync(join(built, file), 'utf8');
    writeFileSync(join(built, file), declarations.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
  }
  for (const file of ['package.json', 'README.md']) copyFileSync(join(client, file), join(built, file));
  const pack = ['pack', built, '--pack-destination', folder, '--json', '--ignore-scripts', '--offline'];
  const packed = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8', cwd: folder, stdio: 'pipe' }));
  return join(folder, (Object.values(packed)[0] as { filename: string }).filename);
}
