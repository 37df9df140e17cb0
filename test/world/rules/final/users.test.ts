import { describe, expect, test } from 'vitest';
import { start, userId } from '../examples.ts';
import { finalRequestsAt } from './example-journal.ts';
import { refusal } from './example-requests.ts';
import { add, asking, type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

const created = 'all users were created by a request';
const same = 'a repeated creation returns the same user';
const oneToOne = 'users and references are one to one';
const found = 'a reference finds its current user';
const taken = 'a reference is refused only if it may be in use';
const own = 'an organization finds exactly its own users and webhooks';

/**
 * Adds a request that changes the user's external reference, sent at `sentAt` and with `answer` as its
 * response.
 */
const rename = (world: Example, sentAt: number, answer: object = {}) => {
  const creation = asking(world, 'users/create');
  const body = { status: 'success', user_id: userId, date_created: creation.answer!.body.date_created };
  const given = { ...creation.answer!, body, ...answer, at: sentAt + 100 };
  add(world, creation, {
    endpoint: 'users/update',
    intent: 99,
    sentAt,
    path: { user_id: userId },
    body: { external_reference: 'bea' },
    answer: given,
  });
};

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    ['a created user does not exist', (world) => remove(world, 'USER'), created],
    [
      'a user has another creation time',
      (world) => {
        asking(world, 'users/create').answer!.body.date_created = 'x';
      },
      created,
    ],
    [
      'a user exists without a request',
      (world) => {
        world.items.push({ ...itemAt(world, 'USER'), pk: 'USER#o#u', user_id: 'usr_other' });
      },
      created,
    ],
    [
      'a user was created for two references',
      (world) => {
        add(world, asking(world, 'users/create'), { intent: 98, body: { external_reference: 'bea' } });
      },
      created,
    ],
    [
      'a retry created another user',
      (world) => {
        const first = asking(world, 'users/create');
        add(world, first, {
          answer: { ...first.answer!, body: { ...first.answer!.body, user_id: 'usr_other' } },
        });
      },
      same,
    ],
    ['a reference belongs to no user', (world) => remove(world, 'REF'), oneToOne],
    [
      'there is an additional reference',
      (world) => {
        world.items.push({ ...itemAt(world, 'REF'), pk: 'REF#o#bea' });
      },
      oneToOne,
    ],
    [
      'a user is found by a reference that it was never given',
      (world) => {
        asking(world, 'users/create').body.external_reference = 'bea';
      },
      found,
    ],
    [
      'a user is found by another reference than requested',
      (world) => {
        asking(world, 'users/find').query.external_reference = 'bea';
      },
      found,
    ],
    ['a user has a reference that it no longer had', (world) => rename(world, finalRequestsAt - 1000), found],
    [
      'a reference finds no user',
      (world) => {
        Object.assign(asking(world, 'users/find').answer!, refusal(404, 'user_not_found'));
      },
      found,
    ],
    [
      'a reference is refused that no user had',
      (world) => {
        add(world, asking(world, 'users/create'), {
          body: { external_reference: 'bea' },
          intent: 97,
          answer: { at: start, ...refusal(409, 'external_reference_taken') } as never,
        });
      },
      taken,
    ],
    [
      'a user is not found',
      (world) => {
        Object.assign(asking(world, 'tickets/balance').answer!, refusal(404, 'user_not_found'));
      },
      own,
    ],
    [
      'a webhook is not found',
      (world) => {
        Object.assign(asking(world, 'webhooks/get').answer!, refusal(404, 'webhook_not_found'));
      },
      own,
    ],
    [
      'another organization reaches a user',
      (world) => {
        asking(world, 'tickets/balance').organizationId = 'org_other';
      },
      own,
    ],
    [
      'an outcome is returned to another organization',
      (world) => {
        const games = asking(world, 'games/history');
        Object.assign(games, { organizationId: 'org_other', path: {} });
      },
      'an organization sees no other organization’s data',
    ],
    [
      'a change of reference returns another user',
      (world) => rename(world, finalRequestsAt + 5000, { body: { status: 'success', user_id: 'usr_other' } }),
      'changing a reference returns the same user',
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('a reference that may have changed meanwhile finds either user', () => {
  expect(rulesBrokenBy((world) => rename(world, finalRequestsAt))).not.toContain(found);
  expect(
    rulesBrokenBy((world) => rename(world, finalRequestsAt - 1000, refusal(503, 'outcome_unknown'))),
  ).not.toContain(found);
  expect(
    rulesBrokenBy((world) => rename(world, finalRequestsAt - 1000, refusal(409, 'external_reference_taken'))),
  ).not.toContain(found);
});
