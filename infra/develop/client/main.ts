import { join } from 'node:path';
import { packClient, writeOperations } from './pack.ts';

// Regenerates the client's operations from the OpenAPI document, and packs the client as hosts install it.
const root = join(import.meta.dirname, '../../..');
writeOperations();
console.log(packClient(join(root, '.build')));
