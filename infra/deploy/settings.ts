import { isPublicKey } from '../../shared/amoe/drand.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';
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
export function checkSettings(stage: DeployedStage, settings: StageSettings): void {
  const { alarmEmail, publicUrl, domain, restoredTable, beacon, formerBeacons } = settings;
  const field = (name: keyof StageSettings) => `${name} of ${stage} in infra/deploy/stages.ts`;
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
  if (domain && !/^([a-z\d-]+\.)+[a-z-]{2,}$/.test(domain.name)) {
    throw new BadSetting(`${field('domain')}: its name is "${domain.name}", and must be as api.example.com`);
  }
  if (domain && !/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/.test(domain.certificateArn)) {
    throw new BadSetting(
      `${field('domain')}: its certificateArn is "${domain.certificateArn}", and must be of a certificate in ACM`,
    );
  }
  if (restoredTable && !isStreamOf(restoredTable)) {
    throw new BadSetting(
      `${field('restoredTable')}: its streamArn must be of a stream of its table, and is "${restoredTable.streamArn}"`,
    );
  }
  for (const fault of beacon === 'none' ? [] : faultsOf(beacon))
    throw new BadSetting(`${field('beacon')}: ${fault}`);
  for (const fault of formerBeacons.flatMap(faultsOf))
    throw new BadSetting(`${field('formerBeacons')}: ${fault}`);
}

/** A table's stream as `aws dynamodb describe-table` says it: arn:aws:dynamodb:us-east-1:123456789012:table/name/stream/time */
const isStreamOf = ({ name, streamArn }: NonNullable<StageSettings['restoredTable']>) =>
  /^[\w.-]{3,255}$/.test(name) &&
  /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/([^/]+)\/stream\/[^/]+$/.exec(streamArn)?.[1] === name;

/** What is wrong with a beacon, each as what must be. */
function faultsOf({ chain, public_key, genesis_time, period, relays }: StageBeacon): string[] {
  const isRelay = (url: string) => /^https:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(url);
  const musts: [boolean, string][] = [
    [/^[0-9a-f]{64}$/.test(chain), `its chain must be a hash of 64 hex digits, and is "${chain}"`],
    [isPublicKey(public_key), `its public_key must be a key of 192 hex digits, and is "${public_key}"`],
    [Number.isInteger(genesis_time), `its genesis_time must be in whole seconds, and is ${genesis_time}`],
    [Number.isInteger(period) && period > 0, `its period must be in whole seconds, and is ${period}`],
    [relays.length > 0, 'its relays must be one at least'],
    [relays.every(isRelay), `its relays must be https addresses, and are ${relays.join(', ')}`],
  ];
  return musts.filter(([holds]) => !holds).map(([, must]) => must);
}
