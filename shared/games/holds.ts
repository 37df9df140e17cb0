/** What operators put on hold: an organization, a game or free spins, or a user. Pure. */
import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { refusals } from '../refusals.ts';
import { type Hold, type OperationAction, type Pausable, pausable } from '../vocabulary.ts';
import type { Settings } from './settings.ts';

/** What free spins need: they are of the wheel. */
export const freeSpins: readonly Pausable[] = ['amoe', 'prizewheel'];

/** The settings that tell what is on hold. */
type HoldSettings = Pick<Settings, 'suspended' | 'paused'>;

/** What the setting `paused` names. */
export const pausedIn = (paused = ''): Pausable[] =>
  pausable.filter((one) => paused.split(' ').includes(one));

/** The setting `paused` once something is paused, or no longer. */
export const pausedAfter = (paused: string, what: Pausable, isPaused: boolean): string =>
  pausable
    .filter((one) => (one === what ? isPaused : pausedIn(paused).includes(one)))
    .sort()
    .join(' ');

/**
 * What stands in the way of something that needs all of these (and a user, if one is named); undefined if
 * nothing does.
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

/** Throws the refusal of what stands in the way of something that needs all of these. */
export function requireNoHold(
  settings: HoldSettings,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): void {
  const hold = holdOn(settings, needed, user);
  if (hold) throw refusals.onHold(hold);
}

/** The record of an operation, as far as it tells of holds. */
export type HoldOperation = {
  action: OperationAction;
  about?: { user_id?: string; spins?: Record<string, number> };
  before: Partial<HoldSettings>;
  after: Partial<HoldSettings>;
};

/**
 * Whether an operation ended a hold on the free spins of an order: on all of its organization, its user, or
 * the order.
 */
export function endsHoldOn(
  { user_id, order_id }: Pick<OrderRecord, 'user_id' | 'order_id'>,
  { action, about, before, after }: HoldOperation,
): boolean {
  if (action === 'user_unfrozen') return about?.user_id === user_id;
  if (action === 'spins_restored') return about?.spins?.[order_id] !== undefined;
  return holdOn(before, freeSpins) !== undefined && !holdOn(after, freeSpins);
}
