import { join } from 'node:path';
import { packClient, writeOperations } from './pack.ts';

// Brings the client up to the document, and packs it as hosts install it.
const root = join(import.meta.dirname, '../../..');
writeOperations();
console.log(packClient(join(root, '.build')));
