import { join } from 'node:path';
import { argumentsOf, optionsOrUsage } from '../../common/arguments.ts';
import { packClient, writeOperations } from './pack.ts';

optionsOrUsage(
  'npm run client  # writes the operations of both clients anew (with python3), and packs the npm package',
  () => argumentsOf({ options: {} }),
);
const root = join(import.meta.dirname, '../../..');
writeOperations();
console.log(packClient(join(root, '.build')));
