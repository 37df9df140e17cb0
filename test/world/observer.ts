import type { Call } from './aws.ts';
import type { Commit } from './journal.ts';
import { permissionsOf } from './permissions.ts';
import { lifetimeNameOf } from './rules/immutability.ts';

/** Creates an observer of one or several worlds: of permissions that functions use, and of written items with a TTL. */
export function createObserver() {
  const permissions = new Map<string, Set<string>>();
  const items = new Set<string>();
  return {
    onCall({ caller, ...call }: Call) {
      if (!caller) return;
      const { name } = caller.function;
      const used = permissions.get(name) ?? new Set();
      for (const permission of permissionsOf(call)) used.add(permission);
      permissions.set(name, used);
    },
    onCommit({ changes }: Commit) {
      for (const { after } of changes) if (after?.ttl) items.add(lifetimeNameOf(after));
    },
    permissions: () =>
      Object.fromEntries([...permissions].sort().map(([name, used]) => [name, [...used].sort()])),
    /** Returns the types of the written items with a TTL, named as in `lifetimes` (`test/infra/deploy/manifest.ts`). */
    items: () => [...items].sort(),
  };
}
