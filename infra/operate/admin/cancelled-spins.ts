import type { ActionRecord } from '../../../shared/actions/action-records.ts';

/** `operation` is the action's record. */
export type SpinChange = {
  orderId: string;
  kind: 'cancelled' | 'restored';
  spins: number;
  operation: ActionRecord;
};

export const spinChanges = (operations: readonly ActionRecord[]): SpinChange[] =>
  operations.flatMap((operation) => {
    const { action, about } = operation;
    if (action !== 'spins_cancelled' && action !== 'spins_restored') return [];
    const kind = action === 'spins_cancelled' ? 'cancelled' : 'restored';
    return Object.entries(about?.spins ?? {}).map(([orderId, spins]) => ({
      orderId,
      kind,
      spins,
      operation,
    }));
  });

export function cancelledByOrder(
  changes: readonly SpinChange[],
): Map<string, { spins: number; operation: ActionRecord }> {
  const orders = new Map<string, { spins: number; operation: ActionRecord }>();
  for (const { orderId, kind, spins, operation } of changes) {
    const { spins: before = 0 } = orders.get(orderId) ?? {};
    const after = kind === 'cancelled' ? before + spins : before - spins;
    if (after > 0) orders.set(orderId, { spins: after, operation });
    else orders.delete(orderId);
  }
  return orders;
}
