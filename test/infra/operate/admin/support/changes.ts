/** Options with which each admin command that changes data runs once, and the data that it needs. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization } from '../../../../../shared/actions/create-organization.ts';
import { freezeUser } from '../../../../../shared/actions/freeze.ts';
import { putItem } from '../../../../../shared/table/client.ts';
import { addDays, dayOf } from '../../../../../shared/time.ts';
import { readWebhook } from '../../../../../shared/webhooks/webhooks.ts';
import { newUrl } from '../../../../games/support/plays.ts';
import { admin } from '../../../../support/admin.ts';
import type { Api } from '../../../../support/api.ts';
import { announced } from '../../../../support/drawing.ts';
import { wonGift } from '../../../../support/won-gift.ts';

/** The two organizations of the commands: one with data for every command, and an older one. */
export type Scene = {
  org: string;
  /** Id of the API key that `key revoke` revokes. */
  key: string;
  /** Id of an organization that was created two days ago, so that it has books to close. */
  older: string;
  /** Id of a user with free spins. */
  user: string;
  /** Id of a user without free spins. Only such a user can be erased. */
  leaving: string;
  prize: string;
  /** Path of a CSV file with a step of the prize. */
  steps: string;
  url: string;
  webhook: string;
  /** Ids of a drawing that is announced, and of one with a winner. */
  announced: string;
  drawn: string;
  from: string;
  tomorrow: string;
  /** Number of the change that `game limits` has scheduled. */
  scheduled?: number;
};

/** Adds what the commands need to an organization. `user` has free spins, `player` gets a play URL. */
export async function sceneIn(api: Api, user: string, player: string): Promise<Scene> {
  const older = { operator: 'test', now: Date.now() - 49 * 3_600_000 };
  const { organization_id } = await createOrganization('Older', 'local', older);
  const webhook = await webhookWithAPast(api);
  const leaving = await api.user(1);
  await freezeUser(api.organizationId, leaving, { ...older, why: 'to be erased' });
  const prize = await wonGift(api, await api.user());
  const steps = join(mkdtempSync(join(tmpdir(), 'incentives-steps-')), 'steps.csv');
  writeFileSync(steps, `prize_id,state\r\n${prize},held\r\n`);
  const scene = {
    prize,
    steps,
    org: api.organizationId,
    key: api.apiKey.split('_')[2]!,
    older: organization_id,
    user,
    leaving,
    url: await newUrl(api, player, { game: 'truck' }),
    webhook,
    announced: await announced(api.organizationId, { type: 'flight' }),
    drawn: await drawnIn(api),
    from: dayOf(Date.now()),
    tomorrow: addDays(dayOf(Date.now()), 1),
  };
  return scene;
}

async function drawnIn(api: Api): Promise<string> {
  for (let user = 0; user < 2; user++)
    await api.post(`/users/${await api.user(1)}/entries/credit`, { amount: 3, idempotency_key: 'entries' });
  const line = '--type truck --prize Truck --value-usd 45000 --claim-days 30 --test';
  const { json, error } = await admin('drawing', 'announce', '--org', api.organizationId, ...line.split(' '));
  if (!json) throw new Error(error);
  return json.drawing_id;
}

/** Creates a webhook that is disabled and whose secret was replaced. */
async function webhookWithAPast(api: Api): Promise<string> {
  const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'first' };
  const { webhook_id } = (await api.post('/webhooks', fields)).body;
  await api.put(`/webhooks/${webhook_id}`, { ...fields, secret_key: 'second' });
  const stored = await readWebhook(api.organizationId, webhook_id);
  const failing_since = new Date().toISOString();
  const off = { state: 'off', failing_since, disabled_at: failing_since, missed_from: Date.now() };
  await putItem({ ...stored, receiver: { ...off, disabled_reason: 'it failed' } });
  return webhook_id;
}

type Example = (scene: Scene) => string[];
const inOrg: Example = ({ org }) => ['--org', org];
const ofUser: Example = ({ org, user }) => ['--org', org, '--user', user];
const ofWebhook: Example = ({ org, webhook }) => ['--org', org, '--webhook', webhook];
const ofPrize: Example = ({ org, prize }) => ['--org', org, '--prize', prize];
const ofUrl: Example = ({ org, url }) => ['--org', org, '--url', url];

export const options = { inOrg, ofUser };

/**
 * Options with which each data-changing admin command runs once. The order ensures that each command finds
 * data to change.
 */
export const changes: Record<string, Example> = {
  'book close': ({ older }) => ['--org', older],
  'book rehearse': () => [],
  'drawing announce': (of) => [
    ...inOrg(of),
    ...'--type truck --prize Truck --value-usd 9 --claim-days 9'.split(' '),
    ...['--closes', addDays(dayOf(Date.now()), 30), '--draws', `${addDays(dayOf(Date.now()), 33)}T20:00`],
  ],
  'drawing call-off': (of) => [...inOrg(of), '--drawing', of.announced],
  'drawing forfeit': (of) => [...inOrg(of), '--drawing', of.drawn, '--place', '1'],
  'game set': (of) => [...inOrg(of), '--game', 'truck', '--cost', '9'],
  'game pause': (of) => [...inOrg(of), '--game', 'truck'],
  'game resume': (of) => [...inOrg(of), '--game', 'truck'],
  'game limits': (of) => [...inOrg(of), '--daily-cash', '800', '--from', of.tomorrow],
  'game unschedule': (of) => [...inOrg(of), '--change', String(of.scheduled)],
  'key create': inOrg,
  'key revoke': ({ org, key }) => ['--org', org, '--key', key],
  'org create': () => ['--name', 'Made'],
  'org suspend': inOrg,
  'org resume': inOrg,
  'page set': (of) => [...inOrg(of), '--return-url', 'https://example.com/'],
  'prize track': (of) => [...inOrg(of), '--kinds', 'cash_usd', '--claim-days', '30'],
  'prize import': (of) => [...inOrg(of), '--file', of.steps],
  'prize forfeit': ofPrize,
  'prize correct': (of) => [...ofPrize(of), '--state', 'open'],
  'prize hold': ofPrize,
  'prize deliver': (of) => [...ofPrize(of), '--reference', 'parcel'],
  'promotion set': (of) => [
    ...inOrg(of),
    '--name',
    'P',
    '--first-day',
    of.tomorrow,
    '--last-day',
    of.tomorrow,
  ],
  'promotion clear': inOrg,
  'play void': ofUrl,
  'play restore': ofUrl,
  'report rebuild': inOrg,
  'user freeze': ofUser,
  'user unfreeze': ofUser,
  'user cancel-spins': ofUser,
  'user restore-spins': ofUser,
  'user adjust': (of) => [...ofUser(of), '--account', 'tickets', '--amount', '5'],
  'user erase': ({ org, leaving }) => ['--org', org, '--user', leaving],
  'webhooks drop-secret': ofWebhook,
  'webhooks replay': (of) => ['--org', of.org, '--from', of.from],
  'webhooks enable': ofWebhook,
};
