import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleForLambda } from './bundle.ts';
import { createStack } from './incentives-stack.ts';
import { BadOption, type Options, readOptions } from './options.ts';

const bundles = join(import.meta.dirname, '../.build/lambda');

function optionsOf(app: App): Options {
  try {
    return readOptions((name) => app.node.tryGetContext(name));
  } catch (error) {
    if (!(error instanceof BadOption)) throw error;
    // A stack trace would say nothing more.
    console.error(`\n${error.message}\n`);
    process.exit(1);
  }
}

const app = new App();
const options = optionsOf(app);
rmSync(bundles, { recursive: true, force: true });
await bundleForLambda(bundles);
createStack(app, { ...options, bundles });
