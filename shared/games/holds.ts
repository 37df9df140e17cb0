/**
 * Holds that operators set: an organization is suspended, a game or AMOE is paused, a user is frozen. Pure.
 */
import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { refusals } from '../refusals.ts';
import { type Hold, type OperationAction, type Pausable, pausable } from '../vocabulary.ts';
import type { Settings } from './settings.ts';

/** Features that free spins depend on. Free spins are spins of the prize wheel. */
export const freeSpins: readonly Pausable[] = ['amoe', 'prizewheel'];

/** Settings that put something on hold. */
type HoldSettings = Pick<Settings, 'suspended' | 'paused'>;

/** Returns the names in the setting `paused`, which separates them by spaces. */
export const pausedIn = (paused = ''): Pausable[] =>
  pausable.filter((one) => paused.split(' ').includes(one));

/** Returns the setting `paused` after one feature is paused or resumed. */
export const pausedAfter = (paused: string, what: Pausable, isPaused: boolean): string =>
  pausable
    .filter((one) => (one === what ? isPaused : pausedIn(paused).includes(one)))
    .sort()
    .join(' ');

/** Returns the hold that blocks a request for these features and this user, or undefined. */
export function holdOn(
  { suspended, paused }: Partial<HoldSettings>,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): Hold | undefined {
  if (suspended) return 'organization_suspended';
  if (user?.frozen) return 'user_frozen';
  return pausedIn(paused).some((one) => needed.includes(one)) ? 'game_paused' : undefined;
}

/** Throws the refusal for a hold if one blocks a request for these features and this user. */
export function requireNoHold(
  settings: HoldSettings,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): void {
  const hold = holdOn(settings, needed, user);
  if (hold) throw refusals.onHold(hold);
}

/** Fields of an operation's record that show the start or end of a hold. */
export type HoldOperation = {
  action: OperationAction;
  about?: { user_id?: string; spins?: Record<string, number> };
  before: Partial<HoldSettings>;
  after: Partial<HoldSettings>;
};

/**
 * Returns whether an operation ended a hold on an order's free spins: it resumed the organization or AMOE,
 * unfroze the user, or restored the order's canceled spins.
 */
export function endsHoldOn(
  { user_id, order_id }: Pick<OrderRecord, 'user_id' | 'order_id'>,
  { action, about, before, after }: HoldOperation,
): boolean {
  if (action === 'user_unfrozen') return about?.user_id === user_id;
  if (action === 'spins_restored') return about?.spins?.[order_id] !== undefined;
  return holdOn(before, freeSpins) !== undefined && !holdOn(after, freeSpins);
}
