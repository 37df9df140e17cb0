import type { ActionRecord } from '../../../shared/actions/action-records.ts';

/** `record` is the action's record. */
export type SpinChange = {
  orderId: string;
  kind: 'cancelled' | 'restored';
  spins: number;
  record: ActionRecord;
};

export const spinChanges = (actions: readonly ActionRecord[]): SpinChange[] =>
  actions.flatMap((record) => {
    const { action, about } = record;
    if (action !== 'spins_cancelled' && action !== 'spins_restored') return [];
    const kind = action === 'spins_cancelled' ? 'cancelled' : 'restored';
    return Object.entries(about?.spins ?? {}).map(([orderId, spins]) => ({ orderId, kind, spins, record }));
  });

export function cancelledSpinsByOrder(
  changes: readonly SpinChange[],
): Map<string, { spins: number; record: ActionRecord }> {
  const orders = new Map<string, { spins: number; record: ActionRecord }>();
  for (const { orderId, kind, spins, record } of changes) {
    const { spins: before = 0 } = orders.get(orderId) ?? {};
    const after = kind === 'cancelled' ? before + spins : before - spins;
    if (after > 0) orders.set(orderId, { spins: after, record });
    else orders.delete(orderId);
  }
  return orders;
}
