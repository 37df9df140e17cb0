import { type DeployedStage, deployedStage, type StageSettings, stages } from './stages.ts';

/** The stage on the command line or one of its settings is wrong; the message says what to type, and where. */
export class BadSetting extends Error {}

/** Each stage as it is given on the command line. */
export const stageChoices = Object.keys(stages)
  .map((name) => `-c stage=${name}`)
  .join(' or ');

/** The stage that `-c stage=` names, or undefined if there is none. Throws a BadSetting for an unknown one. */
export function stageOf(context: unknown): DeployedStage | undefined {
  if (context === undefined || context === '') return undefined;
  const stage = deployedStage(context);
  if (stage) return stage;
  throw new BadSetting(`There is no stage "${context}" to deploy. Say which: ${stageChoices}`);
}

/** Checks what a person fills in. Throws a BadSetting that names the file and the field. */
export function checkSettings(stage: DeployedStage, { alarmEmail, publicUrl }: StageSettings): void {
  const field = (name: keyof StageSettings) => `${name} of ${stage} in infra/stages.ts`;
  if (stage === 'production' && !alarmEmail) {
    throw new BadSetting(`Production needs an address for its alarms: fill in ${field('alarmEmail')}.`);
  }
  if (alarmEmail !== undefined && !/^[^@\s]+@[^@\s]+$/.test(alarmEmail)) {
    throw new BadSetting(`${field('alarmEmail')} is "${alarmEmail}", and must be an e-mail address.`);
  }
  if (publicUrl !== undefined && !/^https:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(publicUrl)) {
    throw new BadSetting(
      `${field('publicUrl')} is "${publicUrl}", and must be an https address, such as https://play.example.com`,
    );
  }
}
