import { type DeployedStage, findDeployedStage, type StageSettings, stages } from './stages.ts';

export class BadSetting extends Error {}

export const stageChoices = Object.keys(stages)
  .map((name) => `-c stage=${name}`)
  .join(' or ');

/** Throws BadSetting for an unknown stage. */
export function parseStage(context: unknown): DeployedStage | undefined {
  if (context === undefined || context === '') return undefined;
  const stage = findDeployedStage(context);
  if (stage) return stage;
  throw new BadSetting(`There is no deployable stage "${context}". Choose one: ${stageChoices}`);
}

/** Throws BadSetting with the file and the field of the first invalid setting. */
export function checkSettings(stage: DeployedStage, settings: StageSettings): void {
  const { alarmEmail, publicUrl, domain, restoredTable, timestampAuthorities } = settings;
  const field = (name: keyof StageSettings) => `${name} of ${stage} in infra/deploy/stages.ts`;
  if (stage === 'production' && !alarmEmail) {
    throw new BadSetting(`Production needs an e-mail address for alarms: fill in ${field('alarmEmail')}.`);
  }
  if (alarmEmail !== undefined && !/^[^@\s]+@[^@\s]+$/.test(alarmEmail)) {
    throw new BadSetting(`${field('alarmEmail')} must be an e-mail address, but is "${alarmEmail}".`);
  }
  if (publicUrl !== undefined && !/^https:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(publicUrl)) {
    throw new BadSetting(
      `${field('publicUrl')} must be an https URL, such as https://play.example.com, but is "${publicUrl}".`,
    );
  }
  if (domain && !/^([a-z\d-]+\.)+[a-z-]{2,}$/.test(domain.name)) {
    throw new BadSetting(
      `${field('domain')}: its name must be a domain, such as api.example.com, but is "${domain.name}".`,
    );
  }
  if (domain && !/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/.test(domain.certificateArn)) {
    throw new BadSetting(
      `${field('domain')}: its certificateArn must be the ARN of an ACM certificate, but is "${domain.certificateArn}".`,
    );
  }
  if (restoredTable && !isStreamOf(restoredTable)) {
    throw new BadSetting(
      `${field('restoredTable')}: its streamArn must be a stream of that table, but is "${restoredTable.streamArn}".`,
    );
  }
  if (stage === 'production' && timestampAuthorities.length === 0)
    throw new BadSetting(
      `Production needs an authority for timestamps: fill in ${field('timestampAuthorities')}.`,
    );
  for (const { url, root } of timestampAuthorities) {
    if (!/^https?:\/\/[^?#\s]+$/.test(url) || !/^[0-9a-f]{64}$/.test(root))
      throw new BadSetting(
        `${field('timestampAuthorities')}: "${url}" must be a URL, and its root a SHA-256 of 64 hex digits.`,
      );
  }
}

/**
 * Throws BadSetting unless production names its account and Region: with a wrong AWS profile, a deploy would create an
 * empty production there.
 */
export function checkAccount(stage: DeployedStage, { deploysTo }: Pick<StageSettings, 'deploysTo'>): void {
  if (!deploysTo && stage !== 'production') return;
  const { account = '', region = '' } = deploysTo ?? {};
  if (/^\d{12}$/.test(account) && /^[a-z]{2}(-[a-z]+)+-\d$/.test(region)) return;
  throw new BadSetting(
    `Fill in deploysTo of ${stage} in infra/deploy/stages.ts: an AWS account of 12 digits, and a Region such as us-east-1.`,
  );
}

/** A stream's ARN looks like arn:aws:dynamodb:us-east-1:123456789012:table/name/stream/time. */
const isStreamOf = ({ name, streamArn }: NonNullable<StageSettings['restoredTable']>) =>
  /^[\w.-]{3,255}$/.test(name) &&
  /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/([^/]+)\/stream\/[^/]+$/.exec(streamArn)?.[1] === name;
