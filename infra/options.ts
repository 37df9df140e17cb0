import { type DeployedStage, deployedStage, stages } from './stages.ts';

/** What the command line says about the stack, as `-c name=value`. */
export type Options = { stage: DeployedStage; publicUrl: string | undefined; alarmEmail: string | undefined };

/** Something on the command line is missing or wrong; the message says what to type. */
export class BadOption extends Error {}

/** Reads the options from the app's context. Throws a BadOption. */
export function readOptions(context: (name: string) => unknown): Options {
  const text = (name: string) => String(context(name) ?? '') || undefined;
  return {
    stage: stageOf(text('stage')),
    publicUrl: urlOf(text('publicUrl')),
    alarmEmail: text('alarmEmail'),
  };
}

function stageOf(text: string | undefined): DeployedStage {
  const stage = deployedStage(text);
  if (stage) return stage;
  const choices = Object.keys(stages).map((name) => `-c stage=${name}`);
  const wrong = text ? `There is no stage "${text}" to deploy.` : 'No stage is given.';
  throw new BadOption(`${wrong} Say which: ${choices.join(' or ')}`);
}

function urlOf(text: string | undefined): string | undefined {
  if (text === undefined || /^https:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(text)) return text;
  throw new BadOption(
    `publicUrl is "${text}", and must be an https address, such as https://incentives.example.com`,
  );
}
