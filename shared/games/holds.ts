import type { OrderRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { refusals } from '../refusals.ts';
import { type ActionName, type Game, type Hold, holds, type Pausable, pausable } from '../vocabulary.ts';
import { gameOfVersion } from './prize-tables.ts';
import type { Settings } from './settings.ts';

/** Features whose pause stops a game's free spins. */
export const freeSpinFeatures = (game: Game): readonly Pausable[] => ['amoe', game];

type HoldSettings = Pick<Settings, 'suspended' | 'paused'>;

/** Returns the features that the setting `paused` lists, separated by spaces. */
export const pausedFeatures = (paused = ''): Pausable[] =>
  pausable.filter((one) => paused.split(' ').includes(one));

/** Returns the setting `paused` with the feature `item` added if `isPaused`, and otherwise removed. */
export const pausedSettingAfter = (paused: string, item: Pausable, isPaused: boolean): string =>
  pausable
    .filter((one) => (one === item ? isPaused : pausedFeatures(paused).includes(one)))
    .sort()
    .join(' ');

/** Returns the holds on a request. `needed` lists the features that the request uses. */
export function holdsOn(
  { suspended, paused }: Partial<HoldSettings>,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): Hold[] {
  const isInForce: Record<Hold, boolean | undefined> = {
    organization_suspended: suspended,
    user_frozen: user?.frozen,
    game_paused: pausedFeatures(paused).some((one) => needed.includes(one)),
  };
  return holds.filter((hold) => isInForce[hold]);
}

export const firstHold = (...request: Parameters<typeof holdsOn>): Hold | undefined => holdsOn(...request)[0];

/** Throws a refusal if a hold blocks a request that uses the features in `needed`. */
export function requireNoHold(
  settings: HoldSettings,
  needed: readonly Pausable[],
  user?: Pick<User, 'frozen'>,
): void {
  const hold = firstHold(settings, needed, user);
  if (hold) throw refusals.onHold(hold);
}

export type HoldAction = {
  action: ActionName;
  about?: { user_id?: string | undefined; spins?: Record<string, number> | undefined };
  before: Partial<HoldSettings>;
  after: Partial<HoldSettings>;
};

export function endsHoldOn(
  {
    user_id,
    order_id,
    prize_table_version,
  }: Pick<OrderRecord, 'user_id' | 'order_id' | 'prize_table_version'>,
  { action, about, before, after }: HoldAction,
): boolean {
  if (action === 'user_unfrozen') return about?.user_id === user_id;
  if (action === 'spins_restored') return about?.spins?.[order_id] !== undefined;
  const needed = freeSpinFeatures(gameOfVersion(prize_table_version));
  return firstHold(before, needed) !== undefined && !firstHold(after, needed);
}
