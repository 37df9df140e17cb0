/** Reduces items to the attributes in a projection. */

import type { Path } from './grammar.ts';
import { attribute, type Binding, rejectOverlap, stepsOf } from './placeholders.ts';
import type { Item, Value } from './values.ts';

/** A tree of attribute names and list indexes. A name or index without a subtree selects the whole value. */
export type Projection = Map<string | number, Projection | undefined>;

/** Builds a projection from paths. Throws a ValidationException if two paths overlap. */
export function projectionOf(paths: Path[], binding: Binding): Projection {
  const all = paths.map((path) => stepsOf(path, binding));
  rejectOverlap(all);
  const root: Projection = new Map();
  for (const steps of all) {
    let at = root;
    for (const step of steps.slice(0, -1)) {
      const deeper: Projection = at.get(step) ?? new Map();
      at.set(step, deeper);
      at = deeper;
    }
    at.set(steps.at(-1)!, undefined);
  }
  return root;
}

export function project(item: Item, projection: Projection): Item {
  const kept: Item = {};
  for (const [name, deeper] of projection) {
    const value = attribute(item, name as string);
    const part = value && partOf(value, deeper);
    if (part) kept[name] = part;
  }
  return kept;
}

function partOf(value: Value, projection: Projection | undefined): Value | undefined {
  if (!projection) return value;
  const indexes = typeof projection.keys().next().value === 'number';
  if (!indexes && value.M) {
    const kept = project(value.M, projection);
    return Object.keys(kept).length > 0 ? { M: kept } : undefined;
  }
  if (!indexes || !value.L) return undefined;
  const members = [...projection]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([index, deeper]) => {
      const member = value.L![index as number];
      return member && partOf(member, deeper);
    });
  const found = members.filter((member) => member !== undefined);
  return found.length > 0 ? { L: found } : undefined;
}
