// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs in reports and their fences. */
export const reports: Bug[] = [
  {
    name: 'the last row that has a fence is counted twice',
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
    name: 'entries of the two types are fenced in no order',
    file: 'shared/reports/record-lists.ts',
    from: 'yield open.length > 1 ? batch.sort(byUlid) : batch;',
    to: 'yield batch;',
  },
  {
    name: 'a fence stands one row too far',
    file: 'shared/reports/fences.ts',
    from: 'separator(fenced.last, ulid)',
    to: 'separator(fenced.last, (rows[1] ?? rows[0]!).ulid)',
  },
  {
    name: 'a row is named by the time of the next one',
    file: 'shared/reports/fences.ts',
    from: 'timeIn(ulid)',
    to: 'timeIn((rows[index + 1] ?? rows[index]!).ulid)',
  },
  {
    name: 'a report of truck entries counts those of the flight',
    file: 'shared/reports/fences.ts',
    from: 'lists[0] === 0 ? ofFirst : rows - ofFirst',
    to: 'lists[0] === 1 ? ofFirst : rows - ofFirst',
  },
  {
    name: 'the newest rows are one off',
    file: 'shared/reports/organization-rows.ts',
    from: 'rowsBefore: rowsOf(layout) + at });',
    to: 'rowsBefore: rowsOf(layout) + at + 1 });',
  },
  {
    name: 'fences are written over those that another has made meanwhile',
    file: 'shared/reports/fence-items.ts',
    from: "ConditionExpression: 'version = :version'",
    to: "ConditionExpression: 'version >= :version'",
  },
  {
    name: 'a late row is not counted',
    file: 'shared/reports/repair-fences.ts',
    from: 'ulids.filter((ulid) => ulid <= last)',
    to: 'ulids.filter((ulid) => ulid === last)',
  },
  {
    name: 'a late row that the index does not show yet is taken for counted',
    file: 'shared/reports/repair-fences.ts',
    from: 'if (missing.size > 0) {',
    to: 'if (missing.size > expected.length) {',
  },
  {
    name: 'the look over the last hour mends nothing',
    file: 'shared/reports/repair-fences.ts',
    from: 'if (found === counted) return;',
    to: 'if (found >= counted) return;',
  },
  {
    name: 'one report that fails keeps the others from their check',
    file: 'shared/reports/upkeep.ts',
    from: "log.failure('check-reports', error, { organization_id: report.organizationId, report: report.report });",
    to: "log.failure('check-reports', error, { organization_id: report.organizationId, report: report.report });\n    throw error;",
  },
  {
    name: 'the type of entries is not looked at beside a user',
    file: 'shared/reports/reports.ts',
    from: "report === 'entries' && entry_type ?",
    to: "report === 'entries' && entry_type && !user_id ?",
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
    file: 'shared/reports/row-index.ts',
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
    name: 'fences are made of the rows in the first shard alone',
    file: 'shared/reports/extend-fences.ts',
    from: 'rangesOf(report, shardsIn(head))',
    to: 'rangesOf(report, 1)',
  },
  {
    name: 'the head of a report forgets in how many shards its rows are',
    file: 'shared/reports/fence-items.ts',
    from: '{ ...head, ...above, version, last }',
    to: '{ ...(head.sizes && { sizes: head.sizes }), ...above, version, last }',
  },
  {
    name: 'a node of a report loses its last block',
    file: 'shared/reports/tree.ts',
    from: 'children: open.splice(from) };',
    to: 'children: open.splice(from).slice(0, -1) };',
  },
  {
    name: 'what is older than a node goes into it',
    file: 'shared/reports/tree.ts',
    from: 'open.findLastIndex((one) => one.level >= level) + 1;',
    to: 'open.findLastIndex((one) => one.level > level) + 1;',
  },
  {
    name: 'a late row changes its block, and not the nodes above it',
    file: 'shared/reports/repair-fences.ts',
    from: 'const changed = children.toSpliced(index, 1, ...blocks.map(childOf));',
    to: 'const changed = head.children;',
  },
  {
    name: 'a node that does not belong to the head is taken for the one that does',
    file: 'shared/reports/tree.ts',
    from: '!isSame(countsOf(node), children[index]!.counts)',
    to: 'countsOf(node).length !== children[index]!.counts.length',
  },
  {
    name: 'a page is looked for in the last node at the beginning of its range alone',
    file: 'shared/reports/layout.ts',
    from: 'const lowest = toStart.length > 0 ?',
    to: 'const lowest = toStart.length >= 0 ?',
  },
  {
    name: 'the fences of a report rest for good',
    file: 'shared/reports/extend-fences.ts',
    from: 'head.last > settledBefore(',
    to: "head.last > '' || head.last > settledBefore(",
  },
  {
    name: 'rows that others have come by count as counted',
    file: 'shared/reports/extend-fences.ts',
    from: 'if (told?.has(row.ulid)) seen.push(row.ulid);',
    to: 'seen.push(...(told ?? []));',
  },
];
