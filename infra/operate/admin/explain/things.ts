/** Explains organizations, users, webhooks, play URLs, API keys and days. */
import { readUserOrErased } from '../../../../shared/accounts/user.ts';
import { readActionsOnUser } from '../../../../shared/actions/actions-about.ts';
import { eligibilityByGame, readPlayerState } from '../../../../shared/games/eligibility.ts';
import { isPlayExpired, isPlayed, readPlaySession } from '../../../../shared/games/play-sessions.ts';
import { idOf } from '../../../../shared/ids.ts';
import type { ApiKey } from '../../../../shared/organizations/api-keys.ts';
import { Refusal } from '../../../../shared/refusals.ts';
import { getItem, type Item } from '../../../../shared/table/client.ts';
import { apiKeyKey, organizationKey, userKey } from '../../../../shared/table/keys.ts';
import { dayOf, isoOf } from '../../../../shared/time.ts';
import { listBooks } from '../books.ts';
import { readSettings } from '../organization.ts';
import { actionSentence } from '../record-sentences.ts';
import { showHistory } from '../users.ts';
import { showWebhooks } from '../webhooks.ts';
import { adminCommand, type Explained, findInOrganizations } from './explained.ts';
import { explainFreeSpins } from './free-spins.ts';
import { refusalAdvice } from './refusals.ts';

type Find = (id: string, org: string | undefined, now: number) => Promise<Explained | undefined>;

export const explainOrganization: Find = async (id) => {
  const found = await getItem(organizationKey(id));
  if (!found) return undefined;
  const { suspended, paused } = await readSettings(id);
  return {
    id,
    organization_id: id,
    what: `the organization “${found.name}”`,
    happened: [{ at: String(found.date_created), sentence: 'It was created.' }],
    state: suspended
      ? 'It is suspended: requests that change something are refused, and free spins wait.'
      : paused
        ? `It works, but ${paused.replaceAll(' ', ' and ')} is paused.`
        : 'It works.',
    next: [adminCommand(suspended ? 'org resume' : 'report day', id), adminCommand('audit list', id)],
  };
};

const maxRecords = 10;

export const explainUser: Find = async (id, org, now) => {
  const place = await findInOrganizations(org, async (one) => getItem<Item>(userKey(one, id)));
  if (!place) return undefined;
  const { organizationId } = place;
  const user = await readUserOrErased(organizationId, id);
  const { records } = await showHistory(organizationId, id, { limit: String(maxRecords) });
  const happened = records.toReversed().map(({ date_created: at, sentence }) => ({ at, sentence }));
  for await (const action of readActionsOnUser(organizationId, id))
    if (action.action !== 'balance_adjusted')
      happened.push({ at: action.date_created, sentence: actionSentence(action) });
  const { balances, erased_at, frozen } = user;
  const { orders } = erased_at ? { orders: [] } : await explainFreeSpins(organizationId, { user: id }, now);
  const games = await refusedGames(organizationId, id, now);
  return {
    id,
    organization_id: organizationId,
    what: erased_at ? 'an erased user' : `the user with the reference “${user.external_reference}”`,
    happened,
    state: `${erased_at ? 'Erased. ' : frozen ? 'Frozen. ' : ''}${balances.tickets} tickets, ${balances.truck} truck entries, ${balances.flight} flight entries. Above are the latest ${records.length} records and all actions.`,
    why: [
      ...(erased_at
        ? ['Texts about the person are deleted. Balances and records stay, and cannot change.']
        : []),
      ...[...Map.groupBy(games, ({ text }) => text)].map(
        ([text, all]) => `${all.map(({ game }) => game).join(', ')}: ${text}`,
      ),
      ...orders.map((one) => `${one.order_id} has ${one.remaining} free spins: ${one.sentence}`),
    ],
    next: [
      ...new Set([...games.map(({ next }) => next), ...orders.flatMap(({ to_do = [] }) => to_do)]),
      adminCommand(`user history --user ${id}`, organizationId),
    ],
  };
};

async function refusedGames(organizationId: string, userId: string, now: number) {
  const circumstances = await readPlayerState(organizationId, userId, now).catch((error: unknown) => {
    // An erased user plays nothing.
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  if (!circumstances) return [];
  return (await eligibilityByGame(circumstances)).flatMap(({ game, holds, restrictions }) =>
    [...holds, ...restrictions].map((code) => ({
      game,
      text: refusalAdvice[code].sentence,
      next: refusalAdvice[code].next,
    })),
  );
}

export const explainWebhook: Find = async (id, org) => {
  const webhook = (await showWebhooks(org)).find(({ webhook_id }) => webhook_id === id);
  if (!webhook) return undefined;
  const { organization_id, callback_url, event, date_created, receiver, failing_since, disabled_at } =
    webhook;
  const states: Record<typeof receiver, string> = {
    well: 'It is not paused: its last call, if there was one, succeeded.',
    failing: 'Its last calls failed. It is tried again.',
    paused: 'It is paused: a probe is sent each minute, and a success replays what was missed.',
    resumed: 'It works again, and what was missed is being replayed.',
    off: 'It is switched off, and receives no events.',
  };
  return {
    id,
    organization_id,
    what: `a webhook for ${event === 'all' ? 'all events' : event} to ${callback_url}`,
    happened: [
      { at: date_created, sentence: 'It was registered.' },
      ...(failing_since ? [{ at: failing_since, sentence: 'Its calls began to fail.' }] : []),
      ...(disabled_at ? [{ at: disabled_at, sentence: 'It was switched off.' }] : []),
    ],
    state: states[receiver],
    why: [
      ...(webhook.missed_from ? [`It misses events since ${webhook.missed_from}.`] : []),
      ...(webhook.disabled_reason ? [webhook.disabled_reason] : []),
    ],
    next: [
      receiver === 'off'
        ? adminCommand(`webhooks enable --webhook ${id}`, organization_id)
        : adminCommand(
            `webhooks calls --from ${dayOf(Date.parse(failing_since ?? date_created))}`,
            organization_id,
          ),
    ],
  };
};

/** Does not print the token, because whoever knows the token can play. */
export const explainPlay: Find = async (token, org, now) => {
  const session = await readPlaySession(token);
  if (!session || (org !== undefined && session.organization_id !== org)) return undefined;
  const { organization_id, user_id, game, cost, date_created, expires_at, voided } = session;
  const outcome = isPlayed(session) && idOf('out', session.played.ulid);
  const [state, next] = outcome
    ? [`It was played, with the outcome ${outcome}.`, `explain ${outcome}`]
    : voided
      ? ['An operator voided it, so it cannot be played.', 'play restore --url …']
      : isPlayExpired(session, now)
        ? [`It expired at ${expires_at} without a play, and cost nothing.`, `explain ${user_id}`]
        : [`It can be played until ${expires_at}.`, `explain ${user_id}`];
  return {
    id: 'The play URL',
    organization_id,
    what: `for ${user_id}, to play the ${game} for ${cost} tickets`,
    happened: [{ at: date_created, sentence: 'It was made.' }],
    state: state!,
    next: [adminCommand(next!, organization_id)],
  };
};

export const explainKey: Find = async (id, org) => {
  const key = await getItem<ApiKey>(apiKeyKey(id));
  if (!key || (org !== undefined && key.organization_id !== org)) return undefined;
  const { organization_id, date_created, revoked_at, suspended } = key;
  return {
    id,
    organization_id,
    what: 'an API key',
    happened: [
      { at: date_created, sentence: 'It was created.' },
      ...(revoked_at ? [{ at: revoked_at, sentence: 'It was revoked.' }] : []),
    ],
    state: revoked_at
      ? 'Requests with it are refused with 401.'
      : suspended
        ? 'It can read, but its organization is suspended.'
        : 'Requests with it are accepted. A 401 is of another key, stage or header.',
    next: [adminCommand(revoked_at ? 'key create' : 'key list', organization_id)],
  };
};

/** Explains the book of a day of one organization, or of the first that has one. */
export const explainDay: Find = async (day, org, now) => {
  const place = await findInOrganizations(org, async (one) =>
    (await listBooks(one)).books.find((book) => book.day === day),
  );
  const isOver = day < dayOf(now);
  return {
    id: day,
    ...(place && { organization_id: place.organizationId }),
    what: isOver ? 'a past day in New York' : 'a day in New York that is not over',
    happened: [],
    state: place
      ? `Its book has ${place.found.records} records. The check: ${place.found.check}. Its timestamp: ${place.found.timestamp}.`
      : 'It has no book.',
    why: place
      ? []
      : [
          isOver
            ? 'Books are closed an hour after midnight, and begin with the first day of an organization.'
            : 'A book is closed an hour after its day ends.',
        ],
    next: [
      adminCommand(
        place ? `book export ${day}` : isOver ? 'book close' : 'report day',
        place?.organizationId ?? org,
      ),
    ],
  };
};

export const explainRequest: Find = async (id, _, now) => ({
  id,
  what: 'the id of a request, if it is from an answer of the API',
  happened: [],
  state: 'Requests are not stored. Their errors are in the log of the function that answered.',
  next: [
    `aws logs filter-log-events --log-group-name <group of the function> --start-time ${now - 86_400_000} --filter-pattern '"${id}"'`,
    `Since then, in the table: ${adminCommand('audit list')} and explain with the user’s id (it is ${isoOf(now)} now).`,
  ],
});
