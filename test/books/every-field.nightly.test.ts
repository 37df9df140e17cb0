/**
 * Changes, adds or removes each field of validly signed records. Verify must find the change, unless `undetectable`
 * says why verify cannot find it.
 */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { leafSchemas, parseLeaf } from '../../shared/books/leaves.ts';
import { type Books, booksOf, type Files, filesOf, recompute, rehash } from './support/books.ts';
import { everyLeaf } from './support/every-leaf.ts';
import { canonical, daysAfter } from './support/plain.ts';
import { codesIn } from './support/verified.ts';
import type { Rec } from './support/world.ts';

const world = everyLeaf();
const honest = filesOf(booksOf(world));

type Json = {
  properties?: Record<string, Json>;
  additionalProperties?: Json;
  items?: Json;
  enum?: unknown[];
};
/** A field of a kind of record. In `path`, `*` is any element of a list or map. */
type Place = { kind: string; path: string[]; schema: Json };

const places = Object.entries(leafSchemas).flatMap(([kind, schema]) =>
  [...placesIn(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json)].map((place) => ({
    kind,
    ...place,
  })),
);
function* placesIn(schema: Json, path: string[] = []): Generator<Omit<Place, 'kind'>> {
  const { properties, additionalProperties: any, items } = schema;
  const fields = properties ?? (items ? { '*': items } : typeof any === 'object' ? { '*': any } : undefined);
  if (!fields) return yield { path, schema };
  for (const [name, field] of Object.entries(fields)) yield* placesIn(field, [...path, name]);
}

type Holder = Record<string, unknown>;
/** Returns the objects in a record that have the field, with the field's name in each. */
function holdersOf(value: unknown, [name = '', ...path]: string[]): { holder: Holder; name: string }[] {
  if (value === null || typeof value !== 'object') return [];
  const holder = value as Holder;
  const names = (name === '*' ? Object.keys(holder) : [name]).filter((one) => holder[one] !== undefined);
  if (path.length === 0) return names.map((one) => ({ holder, name: one }));
  return names.flatMap((one) => holdersOf(holder[one], path));
}

const recordsIn = (books: Books) => books.days.flatMap(({ records }) => records);
const records = recordsIn(booksOf(world));
const valuesIn = (rec: Rec, path: string[]) => holdersOf(rec, path).map(({ holder, name }) => holder[name]);
/** Returns the name of a record's group, such as `queued order`. The verifier checks a group's records alike. */
function groupOf({ kind, action, outcome_id, action_id, run, debug, play_type }: Rec): string {
  if (kind === 'actions') return String(action);
  if (kind === 'orders') return `${run} order`;
  if (kind === 'outcomes') return `${debug ?? play_type} outcome`;
  return `${kind} by the ${outcome_id ? 'outcome' : action_id ? 'operator' : 'host'}`;
}
const groups = Map.groupBy(records.keys(), (i) => groupOf(records[i]!));

const isInstant = (value: string) => /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value);

function otherValues({ schema, path, kind }: Place, value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, value - 1];
  if (typeof value === 'boolean') return [!value];
  if (typeof value !== 'string') return [];
  if (schema.enum) return schema.enum.filter((one) => one !== value);
  if (isInstant(value)) return [1, -1].map((s) => new Date(Date.parse(value) + s * 1000).toISOString());
  if (isDay(value)) return [daysAfter(value, 1), daysAfter(value, -1)];
  const other = records
    .filter((rec) => rec.kind === kind)
    .flatMap((rec) => valuesIn(rec, path))
    .find((one) => one !== value);
  const last = value.at(-1) === '4' ? '8' : '4';
  return [`${value.slice(0, -1)}${last}`, ...(other === undefined ? [] : [other])];
}

/**
 * A change to one field of the record at the index `at`. `field` is the record's group and the path of the field, such
 * as `queued order: texts`. `says` is the field's forged value, as text.
 */
type Forgery = { field: string; says: string; at: number; forge: (rec: Rec) => void };

/**
 * Returns forgeries of a field in a group of records. Changes or removes the field in the group's last record that has
 * it, and adds it to the last record that lacks it.
 */
function forgeriesOf(place: Place, [group, ofGroup]: [string, number[]]): Forgery[] {
  const { path } = place;
  const field = `${group}: ${path.join('.')}`;
  const at = ofGroup.findLast((i) => holdersOf(records[i], path).length > 0);
  const set = (to: unknown) => (rec: Rec) => {
    const [{ holder, name }] = holdersOf(rec, path) as [{ holder: Holder; name: string }];
    if (to === undefined) delete holder[name];
    else holder[name] = to;
  };
  const values = at === undefined ? [] : [...otherValues(place, valuesIn(records[at]!, path)[0]), undefined];
  const changes = values.map((to) => {
    return { field, says: to === undefined ? 'missing' : JSON.stringify(to), at: at!, forge: set(to) };
  });
  const [parent, last = ''] = [path.slice(0, -1), path.at(-1)];
  const value = records.filter(({ kind }) => kind === place.kind).flatMap((rec) => valuesIn(rec, path))[0];
  const isIn = (rec: Rec) => parent.length === 0 || holdersOf(rec, parent).length > 0;
  const without = ofGroup.findLast((i) => holdersOf(records[i], path).length === 0 && isIn(records[i]!));
  if (without === undefined || last === '*') return changes;
  const add = (rec: Rec) => {
    const [found] = parent.length > 0 ? holdersOf(rec, parent) : [];
    Object.assign(found ? (found.holder[found.name] as Holder) : rec, { [last]: value });
  };
  return [...changes, { field, says: 'added', at: without, forge: add }];
}

/** Sets the settings in the books' headers to those in the records, as a forger would. */
function syncSettings(books: Books): Books {
  let settings = {};
  for (const day of books.days) {
    for (const rec of day.records)
      if (rec.kind === 'actions') settings = { ...settings, ...(rec.after as object) };
    day.settings = settings;
  }
  return books;
}

/** Returns the last book, which includes the hash of all records and of the previous book. */
const signedIn = (files: Files) => [...files].findLast(([name]) => name.endsWith('.book'))![1];

/**
 * Returns whether verify finds the forgery in both cases: if the forger recomputes only the hashes, and if the forger
 * also recomputes the record numbers and balances. Does not run verify if the forged record is invalid by its schema.
 */
async function isFound({ at, forge }: Forgery): Promise<boolean> {
  const alone = structuredClone(records[at]!);
  forge(alone);
  if (!parseLeaf(canonical(alone))) return true;
  const methods = records[at]!.kind === 'actions' ? [rehash] : [rehash, recompute];
  const tried = new Set([signedIn(honest)]);
  for (const chain of methods) {
    const books = booksOf(world);
    forge(recordsIn(books)[at]!);
    chain(syncSettings(books));
    const files = filesOf(books);
    const signed = signedIn(files);
    if (tried.has(signed)) continue;
    tried.add(signed);
    if ((await codesIn(files)).verdict === 'good') return false;
  }
  return true;
}

/** Fields of drawings, which have attacks of their own. */
const ofDrawings = [
  'drawing_id',
  'about.drawing',
  'about.list',
  'about.signature',
  'about.place',
  'about.number',
  'about.reason',
];
const isOfDrawing = (path: string[]) =>
  ofDrawings.some((field) => `${path.join('.')}.`.startsWith(`${field}.`));

test('the days are good, and their records have every field', async () => {
  const { verdict, found } = await codesIn(honest);
  expect({ verdict, found }).toEqual({ verdict: 'good', found: {} });
  const without = places.filter(
    ({ kind, path }) =>
      !isOfDrawing(path) && !records.some((rec) => rec.kind === kind && holdersOf(rec, path).length > 0),
  );
  expect(without.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual([]);
});

/** Fields that a forger with the keys can change in a group of records, and why verify cannot find the change. */
const undetectable: [why: string, ...fields: string[]][] = [
  [
    'A host’s credits are known to the host alone.',
    ...['user_id', 'transaction_id', 'amount', 'result_effective_date'].map(
      (field) => `tickets by the host: ${field}`,
    ),
  ],
  [
    'Numbers of records of one kind serve hosts and reports; the chain numbers all records.',
    'number',
    'event_sequence',
  ],
  ['An id is chosen at random.', 'action_id'],
  [
    'Whoever has the keys can name any operator, action and reason.',
    'operator',
    'why',
    'texts',
    'action',
    'about',
  ],
  ['The settings after a change are the operator’s choice.', 'changed: after'],
  ['What becomes of a prize is known to host and operator alone.', 'claim_days'],
  [
    'Each step is the word of the host or operator.',
    ...['user_id', 'claim_id', 'prize_id', 'state', 'delivered_on', 'correction'].map(
      (field) => `claims by the host: ${field}`,
    ),
  ],
];
/**
 * Returns the field in `undetectable` that covers `field`, or undefined. `about.page` covers this field and all fields
 * in it, in every group. With a group, as in `key_created: action`, it covers only this group.
 */
const undetectableBy = (field: string) =>
  undetectable
    .flatMap(([, ...fields]) => fields)
    .find((one) => [field, field.split(': ')[1]!].some((name) => name === one || name.startsWith(`${one}.`)));

test.each([...groups])('every changed field of %s is found or free', async (group, positions) => {
  const isFirst = records[positions[0]!]!.kind !== 'actions' || group === 'changed';
  const open = new Set<string>();
  for (const place of places) {
    const {
      kind,
      path: [top = ''],
    } = place;
    if (kind !== records[positions[0]!]!.kind) continue;
    // Tests the fields that all actions have in only one group, because verify checks them alike in all groups.
    if (!isFirst && commonFields.has(top)) continue;
    for (const forgery of forgeriesOf(place, [group, positions])) {
      if (await isFound(forgery)) continue;

      open.add(forgery.field);
      break;
    }
  }
  expect([...open].filter((field) => !undetectableBy(field))).toEqual([]);
  for (const field of open) used.add(undetectableBy(field)!);
});
const commonFields = new Set([
  'organization_id',
  'kind',
  'date_created',
  'sequence',
  'hash',
  'action_id',
  'operator',
]);
const used = new Set<string>();

test('each field that is listed as free is free', () => {
  expect(undetectable.flatMap(([, ...fields]) => fields).filter((field) => !used.has(field))).toEqual([]);
});
