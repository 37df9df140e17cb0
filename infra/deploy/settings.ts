import { isPublicKey } from '../../shared/amoe/drand.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';
import { type DeployedStage, deployedStage, type StageSettings, stages } from './stages.ts';

/** Thrown for an unknown stage or an invalid setting. The message says what to type, and where. */
export class BadSetting extends Error {}

/** The stages, as options of the command line. */
export const stageChoices = Object.keys(stages)
  .map((name) => `-c stage=${name}`)
  .join(' or ');

/**
 * Returns the stage given by `-c stage=`, or undefined without the option. Throws BadSetting for an unknown
 * stage.
 */
export function stageOf(context: unknown): DeployedStage | undefined {
  if (context === undefined || context === '') return undefined;
  const stage = deployedStage(context);
  if (stage) return stage;
  throw new BadSetting(`There is no stage "${context}" to deploy. Say which: ${stageChoices}`);
}

/** Checks a stage's settings. Throws BadSetting, naming the file and the field. */
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

/**
 * Returns whether an ARN is a stream of the table, as printed by `aws dynamodb describe-table`:
 * arn:aws:dynamodb:us-east-1:123456789012:table/name/stream/time
 */
const isStreamOf = ({ name, streamArn }: NonNullable<StageSettings['restoredTable']>) =>
  /^[\w.-]{3,255}$/.test(name) &&
  /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/([^/]+)\/stream\/[^/]+$/.exec(streamArn)?.[1] === name;

/** Returns the unmet requirements of a beacon. */
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
