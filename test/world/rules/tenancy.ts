/** Rules of ownership: each item belongs to one organization and user, and only certain functions write it. */
import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import { type ItemType, organizationOf, shortId } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { itemOf } from './step.ts';

/** Returns whether the keys and fields of an item contain the same organization id and user id. */
function isOfOne(type: ItemType, item: StoredItem): boolean {
  const organizationId = organizationOf(item);
  const { pk, organization_id = organizationId, user_id, tpk } = item;
  const isInIndex =
    tpk === undefined ||
    tpk.startsWith(`${shortId(organizationId)}#`) ||
    (type === 'organization' && tpk === 'organizations') ||
    (type === 'webhook' && tpk === 'webhooks');
  const ofUser =
    !pk.startsWith('USER#') ||
    user_id === undefined ||
    pk === `USER#${shortId(organizationId)}#${shortId(user_id)}`;
  return organization_id === organizationId && isInIndex && ofUser;
}

/** Every item has a known type. All ids in an item's keys and fields belong to one organization and one user. */
export const singleOwner: StepRule = {
  rule: 'every item belongs to one organization and user',
  start: (report) => (step) => {
    for (const { type, change } of step.all) {
      const item = itemOf(change);
      if (type === 'unknown' || !isOfOne(type, item)) report(`${item.pk} ${item.sk}, by ${step.writer}`);
    }
  },
};

/** A write contains items of one organization, except that one write stores webhook calls of several organizations. */
export const singleOrganization: StepRule = {
  rule: 'a write belongs to one organization',
  start: (report) => (step) => {
    const items = step.all.filter(({ type }) => type !== 'call').map(({ change }) => itemOf(change));
    const organizations = new Set(items.map(organizationOf));
    if (organizations.size > 1) report(`${step.writer} writes for ${[...organizations]}`);
  },
};

const spins = ['play/spin', 'amoe/guest-play', 'workers/run-spins'];
const changes = ['tickets/credit', 'tickets/debit', 'entries/credit', 'entries/debit'];
const ordering = ['amoe/queue', 'amoe/guest-queue', 'amoe/guest-play'];
const changingSettings = [
  'an operator',
  'debug/daily-cash-limit',
  'debug/daily-spin-limit',
  'workers/close-books',
  'workers/start-spin-run',
];
const recordingActions = [...changingSettings, 'page/update'];
const closing = ['workers/close-books', 'an operator'];
const indexing = ['workers/index-rows', 'workers/check-row-index', 'workers/close-books', 'an operator'];

/** The functions that may write each item type. `an operator` is any admin command. */
const writers: Record<ItemType, string[]> = {
  organization: recordingActions,
  settings: changingSettings,
  'prize table': ['an operator'],
  operation: recordingActions,
  payouts: ['workers/check-payouts'],
  page: ['page/update', 'an operator'],
  'api key': ['an operator'],
  webhook: [
    'webhooks/create',
    'webhooks/update',
    'webhooks/delete',
    'workers/send-webhook',
    'workers/sweep-receivers',
    'an operator',
  ],
  webhooks: ['webhooks/create', 'webhooks/delete'],
  invocation: ['webhooks/invoke'],
  budget: spins,
  user: [...changes, ...spins, ...ordering, 'users/create', 'users/update', 'an operator'],
  reference: ['users/create', 'users/update', 'an operator'],
  record: [...changes, ...spins, ...ordering, 'an operator'],
  milestone: [...changes, ...spins, 'an operator'],
  idempotency: [...changes, ...ordering, 'an operator'],
  due: [...ordering, 'workers/run-spins', 'an operator'],
  session: ['games/play', 'debug/play', 'play/spin', 'an operator'],
  call: ['workers/send-webhook', 'an operator'],
  'index state': indexing,
  'day counts': indexing,
  block: indexing,
  'active report': ['workers/index-rows'],
  book: closing,
  'book check': ['workers/check-books'],
  tile: closing,
  closing,
  unknown: [],
};

/** Returns the function that made a write, or `an operator`. Only function names contain a slash. */
const writerOf = (writer: string) => (writer.includes('/') ? writer : 'an operator');

const settingOf: Record<string, string> = {
  'debug/daily-cash-limit': 'daily_cash_limit_usd',
  'debug/daily-spin-limit': 'daily_spin_limit_on',
  // This endpoint changes no setting. It only records an action, which updates the organization's number and hash of
  // operations.
  'page/update': 'operations',
};

/** Only the functions in `writers` write an item. A function in `settingOf` changes only the setting listed there. */
export const writtenByOwner: StepRule = {
  rule: 'only authorized functions write an item',
  start: (report) => (step) => {
    if (step.writer === 'ttl') return;
    for (const { type, change } of step.all) {
      const { pk, sk } = itemOf(change);
      if (!writers[type].includes(writerOf(step.writer))) report(`${pk} ${sk} is written by ${step.writer}`);
      const setting = settingOf[step.writer];
      const { before, after } = change;
      const { operations, last_operation, operations_hash } = (after ?? {}) as StoredItem;
      const operationFields = { operations, last_operation, operations_hash };
      const isSettings = type === 'organization' || type === 'settings';
      if (
        setting &&
        isSettings &&
        before &&
        !isSame({ ...before, ...operationFields, [setting]: after?.[setting] }, after)
      )
        report(`${step.writer} changes more of ${pk} than ${setting}`);
    }
  },
};

export const tenancyRules = [singleOwner, singleOrganization, writtenByOwner];
