import { join } from 'node:path';
import { optionsOrExit, parseOptions } from '../../common/arguments.ts';
import { packClient, writeOperations } from './pack.ts';

optionsOrExit(
  'npm run client  # writes the operations of both clients anew (with python3), and packs the npm package',
  () => parseOptions({ options: {} }),
);
const root = join(import.meta.dirname, '../../..');
writeOperations();
console.log(packClient(join(root, '.build')));
