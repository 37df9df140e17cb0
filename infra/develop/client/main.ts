import { join } from 'node:path';
import { argumentsOf, optionsOrUsage } from '../../common/arguments.ts';
import { packClient, writeOperations } from './pack.ts';

optionsOrUsage('npm run client  # writes the client’s operations anew, and packs it as an npm package', () =>
  argumentsOf({ options: {} }),
);
const root = join(import.meta.dirname, '../../..');
writeOperations();
console.log(packClient(join(root, '.build')));
