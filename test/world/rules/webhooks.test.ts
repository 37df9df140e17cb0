import { expect, test } from 'vitest';
import type { StoredItem } from '../journal.ts';
import { commitOf, iso, organizationId, rulesBrokenBy, start, ulidOf } from './examples.ts';

const counted = 'webhooks are counted';
const replaced = 'a replaced secret stays valid for 24 hours';
const dayMs = 24 * 3_600_000;

const webhook = (of: object = {}): StoredItem => ({
  pk: `ORG#${organizationId}`,
  sk: `WEBHOOK#wh_${ulidOf(start)}`,
  organization_id: organizationId,
  webhook_id: `wh_${ulidOf(start)}`,
  callback_url: 'https://hooks.example.com',
  event: 'all',
  data_key: 'key',
  secret: 'first',
  previous: [],
  version: 1,
  date_created: iso(start),
  ...of,
});
const common = (webhooks: number) => ({
  pk: `ORG#${organizationId}`,
  sk: 'WEBHOOKS',
  data_key: 'key',
  webhooks,
});
const update = (before: object, after: object) =>
  rulesBrokenBy(commitOf('webhooks/update', [[webhook(before), webhook({ version: 2, ...after })]]));

test('a webhook that is not counted is detected', () => {
  expect(
    rulesBrokenBy(
      commitOf('webhooks/create', [
        [undefined, webhook()],
        [undefined, common(1)],
      ]),
    ),
  ).toEqual([]);
  expect(rulesBrokenBy(commitOf('webhooks/create', [[undefined, webhook()]]))).toContain(counted);
  expect(
    rulesBrokenBy(
      commitOf('webhooks/create', [
        [undefined, webhook()],
        [common(100), common(101)],
      ]),
    ),
  ).toContain(counted);
  expect(
    rulesBrokenBy(
      commitOf('webhooks/delete', [
        [webhook(), undefined],
        [common(1), common(0)],
      ]),
    ),
  ).toEqual([]);
  expect(
    rulesBrokenBy(
      commitOf('webhooks/delete', [
        [webhook(), undefined],
        [common(1), common(1)],
      ]),
    ),
  ).toContain(counted);
});

test('a replaced secret stays valid for 24 hours, and earlier ones keep their expiry', () => {
  const first = { secret: 'first', until: start + dayMs };
  const older = { secret: 'older', until: start + 1_000_000 };
  expect(update({}, { secret: 'second', previous: [first] })).toEqual([]);
  expect(update({ previous: [older] }, { secret: 'second', previous: [first, older] })).toEqual([]);
  expect(update({}, { callback_url: 'https://other.example.com' })).toEqual([]);
  expect(update({}, { secret: 'second' })).toContain(replaced);
  expect(update({}, { secret: 'second', previous: [{ ...first, until: start + 2 * dayMs }] })).toContain(
    replaced,
  );
  expect(update({}, { secret: 'second', previous: [{ ...first, until: start + dayMs / 2 }] })).toContain(
    replaced,
  );
  expect(update({ previous: [older] }, { secret: 'second', previous: [first] })).toContain(replaced);
  const longer = { ...older, until: start + dayMs };
  expect(update({ previous: [older] }, { secret: 'second', previous: [first, longer] })).toContain(replaced);
});

test('a skipped version or a changed id is detected', () => {
  expect(update({}, { version: 3 })).toContain(replaced);
  expect(update({}, { webhook_id: 'wh_other' })).toContain(replaced);
});
