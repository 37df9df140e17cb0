import { expect, test } from 'vitest';
import { allRoutes } from '../../shared/api/routes.ts';
import { rareGrants } from '../infra/deploy/manifest.ts';
import usedPermissions from '../infra/deploy/used-permissions.json' with { type: 'json' };
import { declaredPermissions } from '../world/permissions.ts';

const used: Record<string, string[]> = usedPermissions;

test.each(allRoutes)(
  '$name declares the permissions that it uses in simulated worlds, and no others',
  ({ name, access }) => {
    const needed = [...(used[name] ?? []), ...Object.keys(rareGrants[name] ?? {})];
    expect(declaredPermissions(access).sort()).toEqual(needed.sort());
  },
);
