import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, App, Stack, Validations } from 'aws-cdk-lib';
import { bundleForLambda } from './bundle.ts';
import { createStack } from './incentives-stack.ts';
import { BadSetting, checkAccount, parseStage, stageChoices } from './settings.ts';
import { stages } from './stages.ts';

const bundles = join(import.meta.dirname, '../../.build/lambda');

async function build(app: App): Promise<void> {
  const stage = parseStage(app.node.tryGetContext('stage'));
  if (!stage) return withoutStage(app);
  checkAccount(stage, stages[stage]);
  rmSync(bundles, { recursive: true, force: true });
  const metafile = await bundleForLambda(bundles);
  // Writes the list of the modules in each bundle, for esbuild's analyzer and for the tests.
  writeFileSync(join(bundles, 'metafile.json'), JSON.stringify(metafile));
  createStack(app, { stage, bundles });
}

/** Adds an empty stack if no stage was given, because `cdk bootstrap` needs a stack. */
function withoutStage(app: App): void {
  const stack = new Stack(app, 'no-stage-given');
  Annotations.of(stack).addError(`No stage given. Choose one: ${stageChoices}`);
  Validations.of(stack).acknowledge({
    id: 'CloudFormation-Validate::F0001',
    reason: 'This stack is never deployed, so it needs no resources',
  });
}

try {
  await build(new App());
} catch (error) {
  if (!(error instanceof BadSetting)) throw error;
  // Prints only the message of a BadSetting: the operator corrects the setting and needs no stack trace.
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}
