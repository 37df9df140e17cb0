/** Adds mutants of numbers to those of Stryker, which has none and so would not change limits, times and sizes. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A node of the syntax tree with its place, as Babel passes it to a mutator. */
type Path = {
  node: { value: number };
  key: string;
  isNumericLiteral(): boolean;
  parentPath: { isTSLiteralType(): boolean };
};
type Mutator = { name: string; mutate: (path: Path) => Iterable<object> };

/** Returns another number of similar size: for numbers up to 10 the next integer, for larger ones the double. */
const otherThan = (value: number) => (value <= 10 ? value + 1 : value * 2);

const numberMutator: Mutator = {
  name: 'NumericLiteral',
  *mutate(path) {
    if (!path.isNumericLiteral() || path.key === 'key' || path.parentPath.isTSLiteralType()) return;
    const value = otherThan(path.node.value);
    yield { ...path.node, value, extra: { raw: String(value), rawValue: value } };
  },
};

/** Adds the mutator to the list that Stryker's instrumenter uses. The package does not export this list. */
export async function addNumberMutator(): Promise<void> {
  const requireOfCore = createRequire(createRequire(import.meta.url).resolve('@stryker-mutator/core'));
  const list = join(requireOfCore.resolve('@stryker-mutator/instrumenter'), '../mutators/mutate.js');
  const { allMutators } = (await import(pathToFileURL(list).href)) as { allMutators: Mutator[] };
  allMutators.push(numberMutator);
}
