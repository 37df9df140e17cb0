import { expect, test } from 'vitest';
import { columnsOf } from '../../../../infra/operate/console/page/columns.ts';

test.each([2, 201, 1000])('of %d rows, a table shows the organizations if any row has another', (count) => {
  const row = { organization_id: 'org_a', amount: 1 };
  const rows = Array.from({ length: count }, () => row);
  expect(columnsOf(rows)).toEqual([{ name: 'amount' }]);
  for (const index of [0, count - 1]) {
    const mixed = rows.with(index, { ...row, organization_id: 'org_b' });
    expect(columnsOf(mixed)).toEqual([{ name: 'organization_id' }, { name: 'amount' }]);
  }
});
