/**
 * Rules for the holds that operators set: an organization is suspended, a game or AMOE is paused, or a user
 * is frozen. Pure functions.
 */
import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { refusals } from '../refusals.ts';
import { type Hold, type OperationAction, type Pausable, pausable } from '../vocabulary.ts';
import type { Settings } from './settings.ts';

/**
 * Features that must not be paused for a free spin to run: AMOE, and the prize wheel that free spins are
 * spins of.
 */
export const freeSpins: readonly Pausable[] = ['amoe', 'prizewheel'];

/** Settings that put an organization or some of its features on hold. */
type HoldSettings = Pick<Settings, 'suspended' | 'paused'>;

/** Returns the names of the paused features. The setting `paused` lists these names, separated by spaces. */
export const pausedIn = (paused = ''): Pausable[] =>
  pausable.filter((one) => paused.split(' ').includes(one));

/** Returns the value of the setting `paused` after the feature `what` is paused or resumed. */
export const pausedAfter = (paused: string, what: Pausable, isPaused: boolean): string =>
  pausable
    .filter((one) => (one === what ? isPaused : pausedIn(paused).includes(one)))
    .sort()
    .join(' ');

/**
 * Returns the hold that blocks a request that needs these features for this user, or undefined if none does.
 */
export function holdOn(
  { suspended, paused }: Partial<HoldSettings>,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): Hold | undefined {
  if (suspended) return 'organization_suspended';
  if (user?.frozen) return 'user_frozen';
  return pausedIn(paused).some((one) => needed.includes(one)) ? 'game_paused' : undefined;
}

/** Throws a refusal if a hold blocks a request that needs these features for this user. */
export function requireNoHold(
  settings: HoldSettings,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): void {
  const hold = holdOn(settings, needed, user);
  if (hold) throw refusals.onHold(hold);
}

/** Fields of an operator action's record that show whether the action started or ended a hold. */
export type HoldOperation = {
  action: OperationAction;
  about?: { user_id?: string; spins?: Record<string, number> };
  before: Partial<HoldSettings>;
  after: Partial<HoldSettings>;
};

/**
 * Returns whether an operator action ended a hold on an order's free spins. Such an action resumes the
 * organization, AMOE or the prize wheel, unfreezes the user, or restores the order's canceled spins.
 */
export function endsHoldOn(
  { user_id, order_id }: Pick<OrderRecord, 'user_id' | 'order_id'>,
  { action, about, before, after }: HoldOperation,
): boolean {
  if (action === 'user_unfrozen') return about?.user_id === user_id;
  if (action === 'spins_restored') return about?.spins?.[order_id] !== undefined;
  return holdOn(before, freeSpins) !== undefined && !holdOn(after, freeSpins);
}
