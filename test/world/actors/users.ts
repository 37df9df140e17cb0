/** Simulated hosts create users, look them up and change their references. */
import type { Random } from '../../support/random.ts';
import { type Answer, forkRandom } from './client.ts';
import { type Host, keep, pickOrUndefined, sendRequest, type User } from './host.ts';
import { textAfter } from './random-input.ts';

/** Creates a user for the host. Returns undefined if the host gave up before it learned the user's id. */
export async function createUser(host: Host, name: string, random: Random): Promise<User | undefined> {
  const reference = textAfter(name, random);
  const create = (stream: Random) =>
    sendRequest(host, { endpoint: 'users/create', body: { external_reference: reference } }, stream);
  const answers = await Promise.all([
    create(forkRandom(random)),
    // Sometimes two servers of the host send the request concurrently. One of them gets a conflict.
    random.chance(0.05) ? create(forkRandom(random)) : undefined,
  ]);
  // If the first answer was lost, the retry gets a conflict. The host then finds the user by reference.
  const created = idIn(answers) ?? idIn([await find(host, reference, random)]);
  if (created === undefined) return undefined;
  const user: User = { id: created, reference, tickets: 0, keys: 0, changes: [] };
  host.users.push(user);
  return user;
}

const idIn = (answers: (Answer | undefined)[]): string | undefined =>
  answers.find((answer) => answer?.status === 200)?.body.user_id;

const find = (host: Host, reference: string, random: Random) =>
  sendRequest(host, { endpoint: 'users/find', query: { external_reference: reference } }, random);

/** Looks a user up by id or reference, or searches for a former reference of any user. */
export async function lookUp(host: Host, user: User, random: Random): Promise<void> {
  const kind = random.weighted({ id: 3, reference: 3, former: 1 });
  if (kind === 'former') {
    await find(host, pickOrUndefined(random, host.formerReferences) ?? user.reference, random);
    return;
  }
  const answer =
    kind === 'reference'
      ? await find(host, user.reference, random)
      : await sendRequest(host, { endpoint: 'users/get', path: { user_id: user.id } }, random);
  if (answer?.status === 200 && answer.body.user_id === user.id) {
    user.reference = answer.body.external_reference;
  }
}

/** Tries to create a user with the reference of an existing one. */
export async function createAgain(host: Host, user: User, random: Random): Promise<void> {
  const body = { external_reference: user.reference };
  await sendRequest(host, { endpoint: 'users/create', body }, random);
}

/** Changes a user's reference to a new, equal, former or taken one, or swaps two users' references. */
export async function rename(host: Host, user: User, random: Random): Promise<void> {
  const kind = random.weighted({ fresh: 4, own: 1, former: 2, taken: 1, swap: 1 });
  const others = host.users.filter(({ id }) => id !== user.id);
  const other = pickOrUndefined(random, others) ?? user;
  if (kind === 'swap') return swap(host, user, other, random);
  const reference = {
    fresh: textAfter(`${user.id.slice(-6)}-${random.below(1e6)}`, random),
    own: user.reference,
    former: pickOrUndefined(random, host.formerReferences) ?? user.reference,
    taken: other.reference,
  }[kind];
  await move(host, user, reference, random);
}

/** Swaps the references of two users through a temporary reference. */
async function swap(host: Host, user: User, other: User, random: Random): Promise<void> {
  const [mine, yours] = [user.reference, other.reference];
  if (!(await move(host, user, `${user.id.slice(-6)}-between`, random))) return;
  if (await move(host, other, mine, random)) await move(host, user, yours, random);
}

async function move(host: Host, user: User, reference: string, random: Random): Promise<boolean> {
  const former = user.reference;
  const body = { external_reference: reference };
  const answer = await sendRequest(
    host,
    { endpoint: 'users/update', path: { user_id: user.id }, body },
    random,
  );
  if (answer?.status !== 200) return false;
  user.reference = reference;
  if (former !== reference) keep(host.formerReferences, former, random);
  return true;
}
