/** Operators run most commands that read or export data, and a few changes such as `webhooks enable`. */
import { games } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { dayMs, dayOf, hourMs } from './action-times.ts';
import { type Host, isNeglected, pickOrUndefined } from './host.ts';

type Scene = { host: Host; random: Random; now: number };
/**
 * Returns a command's options besides `--org`, or undefined if the command must not run: the host lacks a user or
 * webhook for it, or is neglected.
 */
type Options = (scene: Scene) => string[] | undefined;

const none: Options = () => [];
const ofUser: Options = ({ host, random }) => {
  const user = pickOrUndefined(random, host.users);
  return user && ['--user', user.id];
};
const ofWebhook: Options = ({ host, random }) => {
  const webhook = pickOrUndefined(random, host.webhooks);
  return webhook && ['--webhook', webhook.id];
};
const ofPeriod: Options = ({ now, random }) => [
  ...['--from', dayOf(now - random.below(4) * dayMs)],
  ...['--to', dayOf(now)],
];
const yesterday: Options = ({ now }) => [dayOf(now - dayMs)];
const since: Options = ({ now }) => ['--from', new Date(now - 6 * hourMs).toISOString()];
const gameOption: Options = ({ random }) => ['--game', random.pick(games)];

const organizationCommands: Record<string, Options> = {
  'audit list': none,
  'audit in-force': (scene) => ['--at', new Date(scene.now - hourMs).toISOString(), ...gameOption(scene)!],
  'book list': none,
  'book show': yesterday,
  'book export': yesterday,
  'book close': none,
  'key list': none,
  'page show': none,
  'page set': ({ random }) => ['--return-url', random.pick(['https://example.com/', 'none'])],
  'report today': none,
  'report winners': ofPeriod,
  'report taxes': ({ now }) => ['--year', dayOf(now).slice(0, 4), '--threshold', '2'],
  'user find': ofUser,
  'user history': ofUser,
  'user free-spins': ofUser,
  'user export': ofUser,
  'webhooks list': none,
  'webhooks enable': (scene) => (isNeglected(scene.host) ? undefined : ofWebhook(scene)),
  'webhooks calls': since,
  'webhooks attempts': ({ host, random }) => {
    const calls = host.api.journal.receiverCalls.slice(-50);
    const id = pickOrUndefined(random, calls)?.headers['webhook-id'];
    return ['--event', id ?? 'evt_01HZZZZZZZZZZZZZZZZZZZZZZZ'];
  },
};

const names = Object.keys(organizationCommands);

const stageCommands = ['org list', 'stage queues', 'stage alarms'];

/**
 * Runs a random command about the stage, and the next four of `organizationCommands` for the host's organization.
 * Throws if a command is used wrongly or has a bug, or if `report today` prints a wrong day.
 */
export async function lookUpByCommand(host: Host, random: Random): Promise<void> {
  const { api, caller } = host;
  await api.admin(random.pick(stageCommands).split(' '));
  for (let count = 0; count < 4; count++) {
    const name = names[host.lookUps++ % names.length]!;
    const now = api.now();
    const options = organizationCommands[name]!({ host, random, now });
    if (!options) continue;
    const { exitCode, printed } = await api.admin([
      ...name.split(' '),
      ...options,
      '--org',
      caller.organizationId,
    ]);
    if (exitCode === 2 || / is not a function|Cannot read prop/.test(String(printed)))
      throw new Error(`${name} ${options.join(' ')}: ${printed}`);
    if (name === 'report today' && exitCode === 0 && ![dayOf(now), dayOf(api.now())].includes(printed.day))
      throw new Error(`report today prints ${printed.day} at ${new Date(now).toISOString()}`);
  }
}
