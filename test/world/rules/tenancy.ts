/** Rules of ownership: each item belongs to one organization and user. */
import type { StoredItem } from '../journal.ts';
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

export const tenancyRules = [singleOwner, singleOrganization];
