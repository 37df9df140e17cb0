import { expect, test } from 'vitest';
import { nouns } from '../../../infra/operate/admin/cli.ts';
import { manifest, watches } from './manifest.ts';
import { type Resource, templateOf } from './support.ts';

const { resources } = templateOf({ stage: 'production' });
const alarm = 'AWS::CloudWatch::Alarm';
const types = new Set(manifest.map(({ type }) => type));
/**
 * Properties that the manifest omits. No promise to users depends on names, tags, code, metrics or references.
 * `wiring.test.ts` checks environment variables and policies of KMS keys.
 */
const ignored =
  /^(Code|Dimensions|Metrics|Environment|KeyPolicy|Tags|Role|Name|.*Name$|.*Description|AccessLogSetting|.*Arn$|RoleArn|Target\.(Arn|RoleArn|DeadLetterConfig)|.*\.Id|.*\.ReturnData)/;

/** Returns a resource's logical id without the hash that CDK appends. */
const nameOf = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

type Leaf = { type: string; name: string; path: string; value: unknown };

/** Yields every value nested in `value` with its path. Omits values that CloudFormation computes, except references. */
function* leavesOf(value: unknown, path: string[] = []): Generator<[string, unknown]> {
  const computed = computedOf(value);
  if (computed) yield* computed.reference ? [[path.join('.'), computed.reference] as [string, unknown]] : [];
  else if (typeof value !== 'object' || value === null) yield [path.join('.'), value];
  else for (const [name, part] of Object.entries(value)) yield* leavesOf(part, [...path, name]);
}

/**
 * Returns undefined for a plain value. For a value that CloudFormation computes, returns the referenced resource, if
 * any, as in the manifest.
 */
function computedOf(value: unknown): { reference?: string } | undefined {
  const [[name, argument] = []] = Object.entries((value ?? {}) as Record<string, string & string[]>);
  if (name === 'Ref') return { reference: `@${nameOf(argument!)}` };
  if (name === 'Fn::GetAtt') return { reference: `@${nameOf(argument![0]!)}.${argument![1]}` };
  return name?.startsWith('Fn::') ? {} : undefined;
}

const all: Leaf[] = Object.entries(resources as Record<string, Resource>)
  .filter(([, { Type }]) => types.has(Type) || Type === alarm)
  .flatMap(([id, { Type: type, Properties, DeletionPolicy }]) =>
    [...leavesOf({ ...Properties, ...(DeletionPolicy && { DeletionPolicy }) })].map(([path, value]) => ({
      type,
      name: nameOf(id),
      path,
      value,
    })),
  );

const rowsOf = ({ type, name, path }: Leaf) =>
  manifest.filter((row) => row.type === type && row.of.test(name) && path in row.values);

test('every value of the production stack is a promise of the manifest', () => {
  const unpromised = all.filter(
    (leaf) =>
      types.has(leaf.type) &&
      rowsOf(leaf).length === 0 &&
      !ignored.test(leaf.path) &&
      !String(leaf.value).startsWith('@'),
  );
  expect(unpromised).toEqual([]);
});

test.each(manifest)('$promise', ({ type, of, values }) => {
  const kept = all.filter((leaf) => leaf.type === type && of.test(leaf.name));
  const names = new Set(kept.map(({ name }) => name));
  expect(names.size).toBeGreaterThan(0);
  for (const name of names) {
    const found = kept.filter((leaf) => leaf.name === name && leaf.path in values);
    expect({ name, ...Object.fromEntries(found.map(({ path, value }) => [path, value])) }).toEqual({
      name,
      ...values,
    });
  }
});

const alarms = all.filter(({ type, path }) => type === alarm && path === 'Threshold');

test.each(alarms)('$name watches its own function, queue, table or API', ({ name }) => {
  const rules = watches.filter(([pattern]) => pattern.test(name));
  const dimensions = all.filter((leaf) => leaf.name === name && /^Dimensions.\d.Value$/.test(leaf.path));
  const [pattern, watched] = rules[0]!;
  const expected = name.replace(pattern, watched);
  expect(dimensions.map(({ value }) => String(value).replaceAll('-', ''))).toEqual(
    expected ? expected.split(' ') : [],
  );
});

test('runbooks name only commands that operators have', () => {
  const runbooks = all.filter(({ type, path }) => type === alarm && path === 'AlarmDescription');
  const named = runbooks.flatMap(
    ({ value }) => String(value).match(/npm run [a-z]+( -- \S+ [a-z<>-]+)?/g) ?? [],
  );
  const admin = [...nouns].flatMap(([noun, { verbs }]) =>
    Object.keys(verbs).map((verb) => `${noun} ${verb || '<id>'}`),
  );
  const known = new Set(['npm run verify', ...admin.map((command) => `npm run admin -- ${command}`)]);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((command) => !known.has(command))).toEqual([]);
});
