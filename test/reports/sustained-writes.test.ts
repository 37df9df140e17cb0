import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { reportPage } from '../../shared/reports/reports.ts';
import { recordKey, recordTimeKey } from '../../shared/table/keys.ts';
import { fastUlid } from '../bench/meter.ts';
import { times } from '../support/api.ts';
import { countRoundTrips } from '../support/count-round-trips.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, writeItems } from '../support/records.ts';

// Uses its own table. No worker indexes the rows of this table.
await useOwnTable('sustained');

const now = Date.now();
const organizationId = newId('org', now);
const count = 4500;
// Row times of the last minute, at an uneven rate. All rows are too new to be indexed.
const at = times(count, (i) => Math.floor(now - 60_000 + 60_000 * (i / count) ** 1.3));
const types = ['truck', 'flight'] as const;

beforeAll(async () => {
  const user = userOf(organizationId, newId('usr', now));
  const samples = await Promise.all(types.map((type) => transactionOf(user, type, now)));
  const rows = at.map((time, i) => {
    const type = types[i % 3 === 0 ? 1 : 0]!;
    const ulid = fastUlid(time);
    return {
      ...samples[types.indexOf(type)]!.record,
      ...recordKey(organizationId, user.user_id, `entries#${type}`, ulid),
      ...recordTimeKey(organizationId, user.user_id, `entries#${type}`, ulid),
      transaction_id: `txn_${ulid}`,
    };
  });
  await writeItems(rows);
});

describe('a report during thousands of writes per minute', () => {
  const query = { page: 3, page_size: 1000 };
  const page = (more: object) =>
    reportPage<{ transaction_id: string }>(
      organizationId,
      'entries',
      { ...query, ...more },
      ['transaction_id'],
      { now },
    );

  test('has all rows in order, in a few round trips', async () => {
    const { result, trips } = await countRoundTrips(() => page({}));
    expect(result.paging).toMatchObject({ total_count: count, total_pages: 5 });
    const ids = result.rows.map(({ transaction_id }) => transaction_id);
    expect(ids).toHaveLength(1000);
    expect(ids).toEqual(ids.toSorted());
    expect(trips).toBeLessThanOrEqual(5);
  });

  test('has every row exactly once', async () => {
    const pages = await Promise.all(times(5, (index) => page({ page: index })));
    const ids = pages.flatMap(({ rows }) => rows.map(({ transaction_id }) => transaction_id));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(count);
  });

  test.each([at[10]!, at[2000]!, now - 1, now, now + 60_000])(
    'counts rows up to an end time: %i',
    async (end) => {
      const { paging } = await page({ end, page: 0 });
      expect(paging.total_count).toBe(at.filter((time) => time < end).length);
    },
  );

  test('counts rows of one type, and from a start time', async () => {
    const { paging } = await page({ start: at[100]!, entry_type: 'truck', page: 0 });
    expect(paging.total_count).toBe(at.filter((time, i) => i % 3 !== 0 && time >= at[100]!).length);
  });
});
