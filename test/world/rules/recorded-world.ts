/** Records a small world without faults. Tests change a copy of the recording to break each rule. */

import type { Api } from '../actors/api.ts';
import { finalRequests } from '../actors/final-requests.ts';
import { loadBundles } from '../bundles.ts';
import type { Commit } from '../journal.ts';
import { runWorld } from '../run.ts';
import { createScene } from '../steps/run-flow.ts';
import type { Ended } from './check-world.ts';
import { startOf } from './days-and-ulids.ts';
import type { Violation } from './rule.ts';

/** All writes of a world in order, and its final state. */
export type Recording = { commits: Commit[]; ended: Ended; violations: Violation[] };

const minute = 60_000;
// Starts two hours before midnight in New York, so that queued spins run and a book is closed soon.
const start = startOf('2026-03-07') - 120 * minute;

/** Runs the scenario `actEverything` and records the world, in about ten seconds. */
export async function recordWorld(): Promise<Recording> {
  const commits: Commit[] = [];
  let ended: Ended | undefined;
  const { violations } = await runWorld({
    seed: 1,
    bundles: await loadBundles(),
    days: 0,
    rates: {},
    start,
    scenario: actEverything,
    sendsFinalRequests: false,
    onCommit: (commit) => commits.push(structuredClone(commit)),
    onEnd: (state) => {
      ended = state;
    },
  });
  if (!ended) throw new Error(`the recorded world breaks a rule: ${JSON.stringify(violations[0])}`);
  return { commits, ended, violations };
}

/** Uses each part of the service that a rule checks. Reads all data at 1:25 in New York, after the books closed. */
async function actEverything(api: Api): Promise<void> {
  const scene = await createScene(api);
  const { ask, organizationId, userId, webhookId } = scene;
  const path = { user_id: userId };
  const webhook = { webhook_id: webhookId };
  const org = ['--org', organizationId];
  const why = ['--why', 'a complaint'];
  const user = ['--user', userId];
  const play = async (game: string) => {
    const made = await ask({ endpoint: 'games/play', path, body: { game, lang: 'es' } });
    const token = String(made!.body.url).split('/').at(-1)!;
    await ask({ endpoint: 'play/open', path: { token } });
    return token;
  };
  const spin = async (token: string) => {
    await ask({ endpoint: 'play/spin', path: { token }, body: { client_seed: 'mine' } });
    await ask({ endpoint: 'play/open', path: { token } });
  };
  const credit = { amount: 7, idempotency_key: 'one', description: 'a present' };
  await ask({ endpoint: 'tickets/credit', path, body: credit });
  await ask({ endpoint: 'tickets/credit', path, body: credit });
  await ask({ endpoint: 'tickets/credit', path, body: { ...credit, amount: 8 } });
  await ask({ endpoint: 'tickets/credit', path, body: { amount: 0 }, mistake: 'an amount of 0' });
  await ask({ endpoint: 'tickets/debit', path, body: { amount: 700, idempotency_key: 'two' } });
  await ask({
    endpoint: 'entries/credit',
    path,
    body: { amount: 7, type: 'flight', idempotency_key: 'one' },
  });
  for (const game of ['prizewheel', 'truck', 'flight']) await spin(await play(game));
  const open = await play('prizewheel');
  await ask({ endpoint: 'amoe/guest-play', path, body: { num_of_spins: 31, idempotency_key: 'now' } });
  await ask({ endpoint: 'amoe/queue', path, body: { num_of_spins: 5, idempotency_key: 'later' } });
  await ask({ endpoint: 'webhooks/invoke', path: webhook, body: { hello: 1 }, query: { request_id: 'one' } });
  await ask({
    endpoint: 'webhooks/update',
    path: webhook,
    body: {
      callback_url: `https://hooks.example.com/${organizationId}`,
      secret_key: 'a new secret of the host',
    },
  });
  await ask({ endpoint: 'webhooks/get', path: webhook });
  await ask({ endpoint: 'users/create', body: { external_reference: 'one' } });
  const other = await ask({ endpoint: 'users/create', body: { external_reference: 'two' } });
  await ask({ endpoint: 'users/update', path, body: { external_reference: 'renamed' } });
  const erased = { user_id: String(other!.body.user_id) };
  await ask({ endpoint: 'tickets/credit', path: erased, body: { amount: 3, idempotency_key: 'a name' } });
  await api.admin(['user', 'adjust', ...org, ...user, '--account', 'tickets', '--amount', '3', ...why]);
  await api.admin(['user', 'verify', ...org, ...user]);
  await api.admin(['user', 'freeze', ...org, ...user, ...why]);
  await api.wait(2 * minute);
  await ask({ endpoint: 'tickets/credit', path, body: { amount: 1, idempotency_key: 'frozen' } });
  await api.admin(['user', 'unfreeze', ...org, ...user, ...why]);
  await api.admin(['game', 'pause', ...org, '--game', 'truck', ...why]);
  await api.admin(['game', 'resume', ...org, '--game', 'truck', ...why]);
  await api.admin(['game', 'limits', ...org, '--daily-spins', '6', ...why]);
  await api.admin(['play', 'void', ...org, '--url', open, ...why]);
  await ask({ endpoint: 'play/open', path: { token: open } });
  await api.admin(['user', 'erase', ...org, '--user', erased.user_id, ...why]);
  await play('prizewheel');
  await api.wait(start + 205 * minute - api.now());
  await finalRequests(api);
}
