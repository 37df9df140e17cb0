/** The rule that row indexes cover the stored rows. Rules in `reports.ts` check the reports that use the indexes. */
import type { StoredItem } from '../../journal.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

/** The reports that have a row index, each with a filter for its records. */
const reports: Record<string, (record: StoredItem) => boolean> = {
  tickets: ({ kind }) => kind === 'tickets',
  outcomes: ({ kind }) => kind === 'outcomes',
  entries: ({ kind }) => kind === 'entries',
  'entries#truck': ({ kind, entry_type }) => kind === 'entries' && entry_type === 'truck',
  'entries#flight': ({ kind, entry_type }) => kind === 'entries' && entry_type === 'flight',
};

const noIndex = { last: '', rows_per_block: 512 };

/** Returns an organization's empty row indexes. Their blocks can be small enough for a simulated world to fill them. */
export const emptyRowIndexes = (organizationId: string, rows_per_block: number): StoredItem[] =>
  Object.keys(reports).map((report) => ({
    ...{ pk: `ROWS#${organizationId}#${report}`, sk: 'DAYS#STATE' },
    ...{ version: 1, build: 1, last: '', rows_per_block },
  }));

/** Maximum milliseconds until a row is indexed. A check every 15 minutes repairs an index that is late. */
const maxDelayMs = 45 * 60_000;

/**
 * A row index covers all rows, except the latest rows if they are under an eighth of a block, and those of an
 * organization without books: closing a day's book indexes the rows that crashed checks have left out.
 */
const indexCoversRows: EndRule = {
  rule: 'a row index covers its rows',
  check(world, report) {
    const ofOrganizations = groupBy(world.of('record'), ({ organization_id }) => organization_id);
    for (const [organizationId, all] of ofOrganizations) {
      for (const [name, shows] of Object.entries(reports)) {
        const pk = `ROWS#${organizationId}#${name}`;
        const { last, rows_per_block } = world.item(pk, 'DAYS#STATE') ?? noIndex;
        const records = all.filter(shows);
        const left = records.filter(({ tsk }) => tsk > last).length;
        const newest = Math.max(...records.map(({ date_created }) => Date.parse(date_created)));
        const isIncomplete = newest + maxDelayMs < world.now && left >= Math.max(1, rows_per_block / 8);
        if (isIncomplete) report(`${pk} has ${left} of ${records.length} rows not in blocks`);
        if (last !== '' && !records.some(({ tsk }) => tsk === last))
          report(`${pk} ends with ${last}, which is not one of its rows`);
      }
    }
  },
};

export const rowIndexRules = [indexCoversRows];
