/** Rules of users and their external references. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { isSame, sortedJson } from '../hashes.ts';
import { organizationOf } from '../item-types.ts';
import { mayBeErased } from './erased-texts.ts';
import { codeOf, exchangesOf, groupBy, mayBeExecuted, nameOf, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';

const creations = (world: World) => exchangesOf(world, 'users/create');

/** Returns whether the item of an external reference has the id, reference and creation time of the user. */
const belongsTo = (reference: StoredItem, user: StoredItem): boolean =>
  reference.user_id === user.user_id &&
  reference.external_reference === user.external_reference &&
  reference.date_created === user.date_created;

/** Returns the user id in a request's path or in its response. */
const userOf = ({ path, answer }: Exchange): string | undefined => path.user_id ?? answer?.body?.user_id;

/** Each successful creation returns an existing user, and no users exist without a creation request. */
const createdUsers: EndRule = {
  rule: 'all users were created by a request',
  check(world, report) {
    const references = new Map<string, string>();
    for (const exchange of creations(world).filter(succeeded)) {
      const { user_id, date_created } = exchange.answer!.body;
      const user = world.histories.get(user_id)?.user;
      const isThere = user?.organization_id === exchange.organizationId && user.date_created === date_created;
      if (!isThere) report(`${nameOf(exchange)} created ${user_id}, which does not exist`);
      const reference = exchange.body.external_reference;
      if ((references.get(user_id) ?? reference) !== reference)
        report(`${user_id} was created for two references`);
      references.set(user_id, reference);
    }
    const unknown = creations(world).filter((exchange) => mayBeExecuted(exchange) && !succeeded(exchange));
    const open = groupBy(unknown, ({ organizationId }) => organizationId);
    const unnamed = world.of('user').filter(({ user_id }) => !references.has(user_id));
    for (const [organizationId, users] of groupBy(unnamed, organizationOf)) {
      const requested = open.get(organizationId)?.length ?? 0;
      if (users.length > requested) report(`${organizationId} has ${users.length} users more than requested`);
    }
  },
};

/** All successful responses to the attempts and repetitions of one creation request are equal. */
const sameCreation: EndRule = {
  rule: 'a repeated creation returns the same user',
  check(world, report) {
    for (const [number, exchanges] of groupBy(creations(world), ({ requestNumber }) =>
      String(requestNumber),
    )) {
      const answers = new Set(exchanges.filter(succeeded).map(({ answer }) => sortedJson(answer!.body)));
      if (answers.size > 1) report(`request ${number} got different answers: ${[...answers]}`);
    }
  },
};

/** At the end, each user who is not erased has one external reference, and no other references are stored. */
const oneToOne: EndRule = {
  rule: 'users and references are one to one',
  check(world, report) {
    const users = world.of('user').filter(({ erased_at }) => !erased_at);
    for (const user of users) {
      const reference = world.item(`REF#${user.organization_id}#${user.external_reference}`, 'REF');
      if (!reference || !belongsTo(reference, user))
        report(`${user.pk} is not found by ${user.external_reference}`);
    }
    const references = world.of('reference').length;
    if (users.length !== references) report(`${users.length} users have ${references} references`);
  },
};

/** Returns the requests that may have set a user's external reference. */
function referenceChanges(world: World) {
  return exchangesOf(world, 'users/create', 'users/update')
    .filter(mayBeExecuted)
    .map((exchange) => ({
      exchange,
      userId: userOf(exchange),
      reference: exchange.body?.external_reference,
    }));
}

type ReferenceChange = ReturnType<typeof referenceChanges>[number];

/** Returns whether a request's successful response had arrived by the time `at`. */
const isDoneBefore = ({ exchange }: ReferenceChange, at: number) =>
  succeeded(exchange) && exchange.answer!.at <= at;
/** Returns whether a request that changes a reference may have been executed after the request `other`. */
const mayFollow = ({ exchange }: ReferenceChange, other: ReferenceChange) =>
  !isDoneBefore({ exchange } as ReferenceChange, other.exchange.sentAt);

/**
 * A search by external reference finds the user with this reference, and a read by id shows the user's reference. After
 * lost responses, a user may have one of several references.
 */
const foundByReference: EndRule = {
  rule: 'a reference finds its current user',
  check(world, report) {
    const changes = groupBy(
      referenceChanges(world),
      ({ exchange, reference }) => `${exchange.organizationId} ${reference}`,
    );
    const ofUser = groupBy(referenceChanges(world), ({ userId }) => userId);
    for (const exchange of exchangesOf(world, 'users/find', 'users/get').filter(({ answer }) => answer)) {
      const { organizationId, query, sentAt, answer } = exchange;
      const reference = answer!.body.external_reference ?? query.external_reference;
      const mine = (changes.get(`${organizationId} ${reference}`) ?? []).filter(
        (change) => change.exchange.sentAt <= answer!.at,
      );
      const othersOf = (userId: string) =>
        (ofUser.get(userId) ?? []).filter((change) => change.reference !== reference);
      if (succeeded(exchange)) {
        const { user_id } = answer!.body;
        const possible = mine.filter(({ userId = user_id }) => userId === user_id);
        const later = othersOf(user_id).filter((change) => isDoneBefore(change, sentAt));
        const isStale = later.some((change) => !possible.some((one) => mayFollow(one, change)));
        const isAsked = query.external_reference === undefined || reference === query.external_reference;
        if (possible.length === 0 || isStale || !isAsked)
          report(`${nameOf(exchange)} finds ${user_id} by ${reference}`);
      } else if (codeOf(exchange) === 'user_not_found' && query.external_reference !== undefined) {
        const sure = mine.filter((change) => isDoneBefore(change, sentAt));
        const has = sure.find((change) => {
          const others = othersOf(change.userId!).filter((other) => other.exchange.sentAt <= answer!.at);
          const isGone = mayBeErased(world, change.userId, answer!.at);
          return !isGone && !others.some((other) => mayFollow(other, change));
        });
        if (has) report(`${nameOf(exchange)} does not find ${has.userId} by ${reference}`);
      }
    }
  },
};

/**
 * `external_reference_taken` occurs only if an earlier or concurrent request may have given the reference to
 * another user.
 */
const takenReferences: EndRule = {
  rule: 'a reference is refused only if it may be in use',
  check(world, report) {
    const changes = groupBy(
      referenceChanges(world),
      ({ exchange, reference }) => `${exchange.organizationId} ${reference}`,
    );
    for (const exchange of exchangesOf(world, 'users/create', 'users/update')) {
      if (codeOf(exchange) !== 'external_reference_taken') continue;
      const others = changes.get(`${exchange.organizationId} ${exchange.body.external_reference}`) ?? [];
      const mayHold = others.some(
        ({ exchange: other }) =>
          other.sentAt <= exchange.answer!.at &&
          (exchange.path.user_id === undefined || exchange.path.user_id !== other.path.user_id),
      );
      if (!mayHold) report(`${nameOf(exchange)}, but no earlier request could have taken the reference`);
    }
  },
};

/** A successful change of a user's reference returns the id and creation time of this user. */
const changedReference: EndRule = {
  rule: 'changing a reference returns the same user',
  check(world, report) {
    for (const exchange of exchangesOf(world, 'users/update').filter(succeeded)) {
      const { user_id } = exchange.path;
      const date_created = world.histories.get(user_id!)?.user.date_created;
      if (!isSame(exchange.answer!.body, { status: 'success', user_id, date_created }))
        report(`${nameOf(exchange)} is answered ${JSON.stringify(exchange.answer!.body)}`);
    }
  },
};

export const userRules = [
  createdUsers,
  sameCreation,
  oneToOne,
  foundByReference,
  takenReferences,
  changedReference,
];
