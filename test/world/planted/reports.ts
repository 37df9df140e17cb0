// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs that `npm run planted` plants in the code for reports and their row indexes. */
export const reports: Bug[] = [
  {
    name: 'the last row that is indexed is counted twice',
    file: 'shared/reports/record-lists.ts',
    from: "(ulid === '' ? everyUlid.from : `${ulid}1`);",
    to: "(ulid === '' ? everyUlid.from : ulid);",
  },
  {
    name: 'the last rows before a bound are left out now and then',
    file: 'shared/reports/record-lists.ts',
    from: '${digit}~`;',
    to: '${digit}Z`;',
  },
  {
    name: 'entries of the two types are indexed in no order',
    file: 'shared/reports/record-lists.ts',
    from: 'yield open.length > 1 ? batch.sort() : batch;',
    to: 'yield batch;',
  },
  {
    name: 'a page begins one row too early in its block',
    file: 'shared/reports/blocks.ts',
    from: 'rowsBefore: rowsBefore + index });',
    to: 'rowsBefore: rowsBefore + index + 1 });',
  },
  {
    name: 'of rows of one time each is one that a page can begin at',
    file: 'shared/reports/blocks.ts',
    from: 'if (time > (times[index - 1] ?? timeOf(first))) {',
    to: 'if (time >= (times[index - 1] ?? timeOf(first))) {',
  },
  {
    name: 'a bound at the time of a row counts the row as one before it',
    file: 'shared/reports/blocks.ts',
    from: 'times.findIndex((one) => one >= time)',
    to: 'times.findIndex((one) => one > time)',
  },
  {
    name: 'a report of truck entries shows those of the flight, and the other way round',
    file: 'shared/reports/reports.ts',
    from: '(`entries#${entry_type}` as const) : kind;',
    to: "(`entries#${entry_type === 'truck' ? 'flight' : 'truck'}` as const) : kind;",
  },
  {
    name: 'the newest rows are one off',
    file: 'shared/reports/organization-rows.ts',
    from: 'rowsBefore: ends.below + skipped + place }));',
    to: 'rowsBefore: ends.below + skipped + place + 1 }));',
  },
  {
    name: 'an index is written over one that another has written meanwhile',
    file: 'shared/reports/stored-index.ts',
    from: "ConditionExpression: 'version = :version'",
    to: "ConditionExpression: 'version >= :version'",
  },
  {
    name: 'a late row is not counted',
    file: 'shared/reports/upkeep.ts',
    from: '[...streamed].filter((ulid) => ulid <= indexed),',
    to: '[...streamed].filter((ulid) => ulid === indexed),',
  },
  {
    name: 'a late row that the index does not show yet is taken for counted',
    file: 'shared/reports/recount.ts',
    from: 'if (missing.size > 0) {',
    to: 'if (missing.size > expected.length) {',
  },
  {
    name: 'late rows of a block are counted once for each row that it has',
    file: 'shared/reports/day-counts.ts',
    from: 'rows: rows + times.length - rowsOfBlock,',
    to: 'rows: rows + times.length,',
  },
  {
    name: 'the blocks after one with late rows are looked for one too far',
    file: 'shared/reports/day-counts.ts',
    from: 'onTime -= rows;',
    to: 'onTime -= 0;',
  },
  {
    name: 'the look over the last half hour mends nothing',
    file: 'shared/reports/recount.ts',
    from: 'if (found <= rows) return;',
    to: 'if (found >= rows) return;',
  },
  {
    name: 'the closing of a day mends nothing',
    file: 'shared/reports/upkeep.ts',
    from: 'if (rows !== expected)',
    to: 'if (rows > expected)',
  },
  {
    name: 'the last rows of a day are left over when it is closed',
    file: 'shared/reports/upkeep.ts',
    from: '{ minRows: 1, goOn });',
    to: '{ goOn });',
  },
  {
    name: 'reports that got rows in the last minutes are left alone, and the others looked after',
    file: 'shared/reports/upkeep.ts',
    from: 'Number(noted_at) > now - activeForMs',
    to: 'Number(noted_at) < now - activeForMs',
  },
  {
    name: 'one report that fails keeps the others from their check',
    file: 'shared/reports/upkeep.ts',
    from: `  } catch (error) {
    logFailure(report, error);
  }`,
    to: `  } catch (error) {
    logFailure(report, error);
    throw error;
  }`,
  },
  {
    name: 'the type of entries is not looked at beside a user',
    file: 'shared/reports/reports.ts',
    from: "kind === 'entries' && entry_type ?",
    to: "kind === 'entries' && entry_type && !user_id ?",
  },
  {
    name: 'the end of a range belongs to it',
    file: 'shared/reports/reports.ts',
    from: 'everyUlid.below : ulidFloor(end),',
    to: 'everyUlid.below : ulidFloor(end + 1),',
  },
  {
    name: 'a last page that is not full does not count as a page',
    file: 'shared/reports/reports.ts',
    from: 'Math.ceil(total / page_size)',
    to: 'Math.floor(total / page_size)',
  },
  {
    name: "a user's newest rows are missing from a report",
    file: 'shared/reports/page-rows.ts',
    from: 'stretch.below > settled && !ranges',
    to: 'false && !ranges',
  },
  {
    name: "a user's report is one off behind a milestone",
    file: 'shared/reports/user-rows.ts',
    from: 'rowsBefore: Number(positionOf(range, item)) - 1,',
    to: 'rowsBefore: Number(positionOf(range, item)),',
  },
  {
    name: "a user's report of both types of entries begins where both have begun",
    file: 'shared/reports/user-rows.ts',
    from: 'Math.min(...first.map(numberOf)) - 1;',
    to: 'Math.max(...first.map(numberOf)) - 1;',
  },
  {
    name: 'the rows in the first shard alone are indexed',
    file: 'shared/reports/extend-index.ts',
    from: 'mergedUlids(rangesOf(report), {',
    to: 'mergedUlids(rangesOf(report).slice(0, 1), {',
  },
  {
    name: 'the index of a report rests for good',
    file: 'shared/reports/extend-index.ts',
    from: 'return last > settledBefore(',
    to: "return last > '' || last > settledBefore(",
  },
  {
    name: 'rows that others have indexed count as counted',
    file: 'shared/reports/extend-index.ts',
    from: 'for (const ulid of appended.ulids) streamed?.delete(ulid);',
    to: 'streamed?.clear();',
  },
  {
    name: 'a block goes on into the next day',
    file: 'shared/reports/extend-index.ts',
    from: 'if (block?.day !== day) {',
    to: 'if (!block) {',
  },
  {
    name: 'the first row of a block is in the block before it as well',
    file: 'shared/reports/extend-index.ts',
    from: 'block.next = ulid;',
    to: 'block.next = ulid;\n        block.times.push(time);',
  },
  {
    name: 'a block of another index is taken for one of this',
    file: 'shared/reports/day-counts.ts',
    from: 'end === counts.rows ||',
    to: 'end <= counts.rows ||',
  },
  {
    name: 'a block is taken for the last one before a bound, though the next one has begun',
    file: 'shared/reports/range-ends.ts',
    from: '(block.next !== undefined && block.next < bound)',
    to: '(block.next !== undefined && block.next < block.first)',
  },
  {
    name: 'an index that is begun anew goes on with the blocks of before',
    file: 'shared/reports/stored-index.ts',
    from: 'version, build: build + 1 };',
    to: 'version, build };',
  },
  {
    name: 'a report of what users hold goes by their first records',
    file: 'infra/operate/admin/report/liability.ts',
    from: 'last.sequence < sequence',
    to: 'last.sequence > sequence',
  },
  {
    name: 'a report of what users hold has the balances of erased users among the others',
    file: 'infra/operate/admin/report/liability.ts',
    from: "holdings.erased.has(user_id) ? 'erased_users' : 'users'",
    to: "'users'",
  },
  {
    name: 'a report of a day has cancelled free spins among the open ones',
    file: 'infra/operate/admin/report/day.ts',
    from: "add(day, { figure: 'free_spins_open' }, kind === 'cancelled' ? -spins : spins);",
    to: '{}',
    tests: ['test/infra/operate/admin/report/day.test.ts'],
  },
  {
    name: 'a report of cash leaves out free spins',
    file: 'infra/operate/admin/report/cash.ts',
    from: "debug === 'jackpot') return;",
    to: "debug === 'jackpot' || play_type === 'amoe') return;",
  },
  {
    name: 'a report of a day has the test plays among the plays',
    file: 'infra/operate/admin/report/day.ts',
    from: "if (debug) return add(day, { figure: 'test_plays', game });",
    to: '',
  },
];
