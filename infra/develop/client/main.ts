import { join } from 'node:path';
import { packClient, writeOperations } from './pack.ts';

// Regenerates the host client's operations from the OpenAPI document, and packs the client as an npm package.
const root = join(import.meta.dirname, '../../..');
writeOperations();
console.log(packClient(join(root, '.build')));
