/** Finds the reason why an order's free spins have not run, and the operator's remedy. */
import type { OrderRecord } from '../../../../shared/accounts/records.ts';
import type { User } from '../../../../shared/accounts/user.ts';
import { firstHold, freeSpinFeatures, pausedFeatures } from '../../../../shared/games/holds.ts';
import { gameOfVersion } from '../../../../shared/games/prize-tables.ts';
import type { Settings } from '../../../../shared/games/settings.ts';
import { dayOf, startOfDay } from '../../../../shared/time.ts';
import type { Hold } from '../../../../shared/vocabulary.ts';

export type SpinOrder = OrderRecord & { remaining: number; cancelled: number };

/** The facts that decide whether an order's spins can run at `now` (epoch milliseconds). */
type OrderFacts = {
  now: number;
  settings: Pick<Settings, 'suspended' | 'paused'>;
  user: Pick<User, 'frozen'>;
  /** When the last hold on the order ended, or else the order was placed (epoch milliseconds). */
  heldUntil: number;
  /** Numbers of messages in the queue `spin-shards`, whose workers run due spins, and in its dead-letter queue. */
  queue: { pendingMessages: number; deadLetters: number };
};

/** Why an order's spins wait. Without `to_do`, the operator need do nothing. */
export type WaitCause = {
  cause: Hold | 'none' | 'spins_cancelled' | 'not_due' | 'queued' | 'worker_failed' | 'not_started';
  sentence: string;
  to_do?: string;
};

const sweepMinutes = 15;

export function waitCauseOf(order: SpinOrder, facts: OrderFacts): WaitCause {
  const { order_id, num_of_spins, remaining, cancelled, due_day } = order;
  const { now, settings, user, heldUntil, queue } = facts;
  if (remaining === 0 && cancelled === 0)
    return { cause: 'none', sentence: `All ${num_of_spins} spins of the order have run.` };
  if (remaining === 0)
    return {
      cause: 'spins_cancelled',
      sentence: `An operator cancelled ${cancelled} of the ${num_of_spins} spins.`,
      to_do: `user restore-spins --order ${order_id} lets them run.`,
    };
  if (due_day > dayOf(now))
    return { cause: 'not_due', sentence: `The spins run at midnight in New York as ${due_day} begins.` };
  const needed = freeSpinFeatures(gameOfVersion(order.prize_table_version));
  const hold = firstHold(settings, needed, user);
  if (hold) {
    const paused = pausedFeatures(settings.paused).filter((one) => needed.includes(one));
    return heldBy(hold, paused);
  }
  const log = `Look in the log of run-spins for ${order_id}.`;
  if (queue.pendingMessages > 0)
    return {
      cause: 'queued',
      sentence: `The spins are due, and ${queue.pendingMessages} messages of the spin run are on their way to workers.`,
      to_do: `Wait for some minutes. If they are still there then: ${log}`,
    };
  if (queue.deadLetters > 0)
    return {
      cause: 'worker_failed',
      sentence: `The spins are due, and ${queue.deadLetters} messages of the spin run have failed for good.`,
      to_do: `${log} Delete the messages once the cause is gone: the sweep sends new ones.`,
    };
  const minutes = (now - Math.max(startOfDay(due_day), heldUntil)) / 60_000;
  return {
    cause: 'not_started',
    sentence: `The spins have been due for ${Math.floor(minutes)} minutes, nothing holds them, and no worker has been sent a message.`,
    to_do:
      minutes > sweepMinutes
        ? `Run stage alarms: start-spin-run should have started them. ${log}`
        : `Wait: a sweep starts them every ${sweepMinutes} minutes.`,
  };
}

function heldBy(cause: Hold, paused: string[]): WaitCause {
  const after = `The spins run within ${sweepMinutes} minutes.`;
  const resume = paused.map((one) => `game resume --game ${one}`).join(' and ');
  const causes: Record<Hold, Omit<WaitCause, 'cause'>> = {
    organization_suspended: { sentence: 'The organization is suspended.', to_do: `Run org resume. ${after}` },
    user_frozen: { sentence: 'The user is frozen.', to_do: `Run user unfreeze. ${after}` },
    game_paused: {
      sentence: `Free spins wait while ${paused.join(' and ')} ${paused.length > 1 ? 'are' : 'is'} paused.`,
      to_do: `Run ${resume}. ${after}`,
    },
  };
  return { cause, ...causes[cause] };
}
