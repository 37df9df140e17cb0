/**
 * Rules for the holds that operators set: an organization is suspended, a game or AMOE (free spins) is
 * paused, or a user is frozen. Pure functions.
 */
import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { refusals } from '../refusals.ts';
import { type Hold, type OperationAction, type Pausable, pausable } from '../vocabulary.ts';
import type { Settings } from './settings.ts';

/**
 * Free spins do not run while an operator has paused one of these features: AMOE (free spins in general) or
 * the prize wheel, which is the game of all free spins.
 */
export const freeSpins: readonly Pausable[] = ['amoe', 'prizewheel'];

/** Settings that put an organization or some of its features on hold. */
type HoldSettings = Pick<Settings, 'suspended' | 'paused'>;

/** Returns the names of the paused features. The setting `paused` lists these names, separated by spaces. */
export const pausedIn = (paused = ''): Pausable[] =>
  pausable.filter((one) => paused.split(' ').includes(one));

/**
 * Adds the feature `what` to the setting `paused` if `isPaused` is true, or removes the feature if not.
 * Returns the new value.
 */
export const pausedAfter = (paused: string, what: Pausable, isPaused: boolean): string =>
  pausable
    .filter((one) => (one === what ? isPaused : pausedIn(paused).includes(one)))
    .sort()
    .join(' ');

/**
 * Returns the hold that blocks a request, or undefined if none does. `needed` lists the features that the
 * request uses. Checks whether the organization is suspended, the user is frozen, or one of these features is
 * paused.
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

/**
 * Throws a refusal if the organization is suspended, the user is frozen, or one of the features in `needed`
 * is paused.
 */
export function requireNoHold(
  settings: HoldSettings,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): void {
  const hold = holdOn(settings, needed, user);
  if (hold) throw refusals.onHold(hold);
}

/**
 * The fields of an operator action's record that show whether the action started or ended a hold, such as a
 * pause.
 */
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
