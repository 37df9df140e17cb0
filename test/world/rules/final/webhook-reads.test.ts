import { describe, expect, test } from 'vitest';
import { start } from '../examples.ts';
import { finalRequestsAt } from './example-journal.ts';
import { refusal, url, webhookId } from './example-requests.ts';
import { add, asking, type Example, remove, rulesBrokenBy } from './examples.ts';

const webhookState = 'a webhook has the state that its host set';
const listed = 'the list of webhooks is complete';
const deleted = 'a deleted webhook is gone';

/** Adds a successful request that deletes the webhook, sent at `sentAt`. */
const removeAt = (world: Example, sentAt: number) => {
  const other = asking(world, 'webhooks/create');
  const body = { status: 'success', webhook_id: webhookId };
  add(world, other, {
    endpoint: 'webhooks/delete',
    sentAt,
    path: { webhook_id: webhookId },
    answer: { ...other.answer!, at: sentAt + 100, body },
  });
};
/** Adds a successful request that changes the webhook's secret, sent at `sentAt`. */
const rotateAt = (world: Example, sentAt: number, secret_key: string) => {
  const other = asking(world, 'webhooks/create');
  const body = { callback_url: url, secret_key };
  add(world, other, {
    endpoint: 'webhooks/update',
    sentAt,
    path: { webhook_id: webhookId },
    body,
    answer: { ...other.answer!, at: sentAt + 100, body: { ...other.answer!.body, secret_key } },
  });
};

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'a webhook has another secret than it was given',
      (world) => {
        asking(world, 'webhooks/get').answer!.body.secret_key = 'x';
      },
      webhookState,
    ],
    [
      'a webhook has the event that it was not given',
      (world) => {
        asking(world, 'webhooks/get').answer!.body.event = 'outcome';
      },
      webhookState,
    ],
    [
      'a creation returns another URL',
      (world) => {
        asking(world, 'webhooks/create').answer!.body.callback_url = 'https://x';
      },
      webhookState,
    ],
    [
      'a webhook is returned with an old state',
      (world) => rotateAt(world, finalRequestsAt - 5000, 'another secret'),
      webhookState,
    ],
    [
      'a list leaves a webhook out',
      (world) => {
        asking(world, 'webhooks/list').answer!.body.webhooks = [];
      },
      listed,
    ],
    [
      'a list has a webhook twice',
      (world) => {
        const { body } = asking(world, 'webhooks/list').answer!;
        body.webhooks.push(body.webhooks[0]);
      },
      listed,
    ],
    [
      'a list has a deleted webhook',
      (world) => {
        removeAt(world, finalRequestsAt - 1000);
      },
      listed,
    ],
    ['a deleted webhook still exists', (world) => removeAt(world, finalRequestsAt + 1000), deleted],
    ['a webhook is missing without a deletion', (world) => remove(world, 'WEBHOOK#'), deleted],
    [
      'a list exceeds its limit',
      (world) => {
        Object.assign(asking(world, 'webhooks/create').answer!, refusal(409, 'too_many_webhooks'));
      },
      deleted,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('a read during a change may return either state', () => {
  expect(rulesBrokenBy((world) => rotateAt(world, finalRequestsAt, 'another secret'))).not.toContain(
    webhookState,
  );
  expect(rulesBrokenBy((world) => rotateAt(world, start - 500_000, 'a secret of the webhook'))).toEqual([]);
});
