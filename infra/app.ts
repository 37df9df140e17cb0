import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleForLambda } from './bundle.ts';
import { createStack } from './incentives-stack.ts';
import { deployedStage, stages } from './stages.ts';

const bundles = join(import.meta.dirname, '../.build/lambda');

/** Ends with a message that says what to type; a stack trace would say nothing more. */
function refuse(message: string): never {
  console.error(`\n${message}\n`);
  process.exit(1);
}

function options(app: App) {
  const text = (name: string): string | undefined => app.node.tryGetContext(name) || undefined;
  const names = Object.keys(stages);
  const stage = deployedStage(text('stage'));
  if (!stage) {
    const given = text('stage') ? `There is no stage "${text('stage')}" to deploy.` : 'No stage is given.';
    refuse(`${given} Say which: ${names.map((name) => `-c stage=${name}`).join(' or ')}`);
  }
  const publicUrl = text('publicUrl');
  if (publicUrl && !/^https:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(publicUrl)) {
    refuse(
      `publicUrl is "${publicUrl}", and must be an https address, such as https://incentives.example.com`,
    );
  }
  return { stage, publicUrl, alarmEmail: text('alarmEmail') };
}

const app = new App();
const chosen = options(app);
rmSync(bundles, { recursive: true, force: true });
await bundleForLambda(bundles);
createStack(app, { ...chosen, bundles });
