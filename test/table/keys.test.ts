import { expect, test } from 'vitest';
import { bookCheckKey, bookClosingKey, bookKey, tileKey } from '../../shared/table/book-keys.ts';
import {
  actionKey,
  actionsByTime,
  actionsOf,
  actionTimeKey,
  apiKeyKey,
  apiKeysOf,
  apiKeyTimeKey,
  budgetKey,
  dueItemKey,
  dueItemsInShard,
  idempotencyItemKey,
  idempotencyItemsOf,
  type Key,
  type KeyRange,
  milestoneKey,
  milestonesOfUser,
  organizationKey,
  organizationsRange,
  organizationTimeKey,
  pageKey,
  payoutsKey,
  playKey,
  prizeTableKey,
  recordKey,
  recordsInShards,
  recordsOfUser,
  recordTimeKey,
  referenceKey,
  settingsKey,
  type TimeKey,
  userKey,
} from '../../shared/table/keys.ts';
import {
  activeReportKey,
  activeReports,
  blockByNumberKey,
  blockByTimeKey,
  blocksBefore,
  blocksByNumber,
  blocksByTime,
  dayCountsKey,
  dayCountsOf,
  indexStateKey,
} from '../../shared/table/row-index-keys.ts';
import {
  invocationKey,
  unwellTimeKey,
  webhookCallKey,
  webhookCallRanges,
  webhookCommonKey,
  webhookKey,
  webhooksOf,
} from '../../shared/table/webhook-keys.ts';

const [o, u] = ['org_1', 'usr_2'];

test.each<[Key, pk: string, sk: string]>([
  [organizationKey(o), 'ORG#org_1', 'ORG'],
  [settingsKey(o, 3), 'ORG#org_1#3', 'SETTINGS'],
  [actionKey(o, 'U'), 'ORG#org_1', 'ACTIONS#U'],
  [prizeTableKey(o, 'truck', 'V'), 'ORG#org_1', 'GAME#truck#V'],
  [pageKey(o), 'PAGE#org_1', 'PAGE'],
  [apiKeyKey('K'), 'KEY#K', 'KEY'],
  [budgetKey(o, 'cash#D', 2), 'BUDGET#org_1#cash#D#2', 'BUDGET'],
  [payoutsKey(o), 'ORG#org_1', 'PAYOUTS'],
  [userKey(o, u), 'USER#1#2', 'USER'],
  [referenceKey(o, 'anna'), 'REF#org_1#anna', 'REF'],
  [recordKey(o, u, 'tickets', 'U'), 'USER#1#2', 'TICKETS#U'],
  [recordKey(o, u, 'entries#truck', 'U'), 'USER#1#2', 'ENTRIES#truck#U'],
  [recordKey(o, u, 'outcomes', 'U'), 'USER#1#2', 'OUTCOMES#U'],
  [recordKey(o, u, 'orders', 'U'), 'USER#1#2', 'ORDERS#U'],
  [milestoneKey(o, u, 'tickets', 64), 'USER#1#2', 'NTH#tickets#0000000000000064'],
  [
    idempotencyItemKey(o, u, 'spins', 'k'),
    'USER#1#2',
    'IDEM#spins#glTDKakoUPbVOd03b0gW7idkUX2l4CNVFK9DMWRIDXo',
  ],
  [
    idempotencyItemKey(o, u, 'tickets', 'k'),
    'USER#1#2',
    'IDEM#tickets#glTDKakoUPbVOd03b0gW7idkUX2l4CNVFK9DMWRIDXo',
  ],
  [dueItemKey(o, u, 'D', 'U'), 'DUE#org_1#6', 'D#U'],
  [playKey('T'), 'PLAY#T', 'PLAY'],
  [indexStateKey(o, 'tickets'), 'ROWS#org_1#tickets', 'DAYS#STATE'],
  [dayCountsKey(o, 'tickets', '2026'), 'ROWS#org_1#tickets', 'DAYS#2026'],
  [blockByTimeKey('F', o, 'tickets', 2), 'ROWS#org_1#tickets', 'BLOCK#0002#TIME#F'],
  [blockByNumberKey('D', 5, o, 'tickets', 2), 'ROWS#org_1#tickets', 'BLOCK#0002#NUMBER#D#0000005'],
  [activeReportKey(o, 'entries#flight'), 'ACTIVE', 'org_1#entries#flight'],
  [webhookKey(o, 'W'), 'ORG#org_1', 'WEBHOOK#W'],
  [webhookCommonKey(o), 'ORG#org_1', 'WEBHOOKS'],
  [invocationKey(o, 'inv_1'), 'INVOKED#org_1#3', 'inv_1'],
  [webhookCallKey(o, 'D', 'U', 4), 'CALLS#1#D#4', 'U'],
  [bookKey(o, 'D'), 'BOOKS#org_1', 'D'],
  [tileKey(o, 'D', 1, '7'), 'TILES#org_1#D', 'TILE#1#7'],
  [bookClosingKey(o, 'D'), 'TILES#org_1#D', 'CLOSING'],
  [bookCheckKey(o, 'D'), 'CHECKS#org_1', 'D'],
])('stored items keep their keys, unless a migration moves them: %o', (key, pk, sk) => {
  expect(key).toEqual({ pk, sk });
});

test.each<[KeyRange, KeyRange]>([
  [organizationsRange(), { inIndex: true, partition: 'organizations', prefix: '' }],
  [actionsOf(o), { partition: 'ORG#org_1', prefix: 'ACTIONS#' }],
  [apiKeysOf(o), { inIndex: true, partition: '1#keys', prefix: '' }],
  [recordsOfUser(o, u, 'entries'), { partition: 'USER#1#2', prefix: 'ENTRIES#' }],
  [recordsInShards(o, 'outcomes')[15]!, { inIndex: true, partition: '1#outcomes#15', prefix: '' }],
  [actionsByTime(o), { inIndex: true, partition: '1#actions', prefix: '' }],
  [
    milestonesOfUser(o, u, 'tickets', [1, 128]),
    { partition: 'USER#1#2', prefix: 'NTH#tickets#', between: ['0000000000000001', '0000000000000128'] },
  ],
  [idempotencyItemsOf(o, u), { partition: 'USER#1#2', prefix: 'IDEM#' }],
  [dueItemsInShard(o, 3, 'D')[1]!, { partition: 'DUE#org_1#19', prefix: '', between: ['0', 'D~'] }],
  [dayCountsOf(o, 'tickets'), { partition: 'ROWS#org_1#tickets', prefix: 'DAYS#' }],
  [blocksByTime(o, 'tickets', 2), { partition: 'ROWS#org_1#tickets', prefix: 'BLOCK#0002#TIME#' }],
  [
    blocksByNumber('D', [1, 5], o, 'tickets', 2),
    { partition: 'ROWS#org_1#tickets', prefix: 'BLOCK#0002#NUMBER#D#', between: ['0000001', '0000005'] },
  ],
  [
    blocksBefore(o, 'tickets', 2),
    { partition: 'ROWS#org_1#tickets', prefix: 'BLOCK#', between: ['', '0002'] },
  ],
  [activeReports(), { partition: 'ACTIVE', prefix: '' }],
  [webhooksOf(o), { partition: 'ORG#org_1', prefix: 'WEBHOOK#' }],
  [webhookCallRanges(o, 'D')[4]!, { partition: 'CALLS#1#D#4', prefix: '' }],
])('ranges stay where the keys of their items are: %o', (range, expected) => {
  expect(range).toEqual(expected);
});

test.each<[TimeKey, TimeKey]>([
  [organizationTimeKey(o), { tpk: 'organizations', tsk: 'org_1' }],
  [apiKeyTimeKey(o, 'K'), { tpk: '1#keys', tsk: 'K' }],
  [recordTimeKey(o, u, 'tickets', 'U'), { tpk: '1#tickets#6', tsk: 'U' }],
  [actionTimeKey(o, 'U'), { tpk: '1#actions', tsk: 'U' }],
  [unwellTimeKey(o, 'W'), { tpk: 'webhooks', tsk: 'org_1#W' }],
])('the keys of items in the index stay the same: %o', (key, expected) => {
  expect(key).toEqual(expected);
});
