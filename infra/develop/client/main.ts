import { join } from 'node:path';
import { optionsOrExit, parseOptions } from '../../common/arguments.ts';
import { packClient, writeOperations } from './pack.ts';

optionsOrExit('npm run client  # writes both clients’ operations (with python3), packs one for npm', () =>
  parseOptions({ options: {} }),
);
writeOperations();
console.log(packClient(join(import.meta.dirname, '../../../.build')));
