import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nouns, runCommand } from '../../../../infra/operate/admin/cli.ts';
import { command } from '../../../../infra/operate/admin/command.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { parseLeaf } from '../../../../shared/books/leaves.ts';
import { tableClient } from '../../../../shared/table/client.ts';
import { type Small, smallOrganization } from './report/support.ts';
import { changes, options, type Scene, sceneIn } from './support/changes.ts';

type World = Small & Scene & { outcome: string; folder: string };

let world: World;
beforeAll(async () => {
  const small = await smallOrganization();
  const { api, users, records } = small;
  world = {
    ...small,
    ...(await sceneIn(api, users[1]!, users[0]!)),
    outcome: records.find(({ kind }) => kind === 'outcomes')!.sk.replace(/.*#/, 'out_'),
    folder: mkdtempSync(join(tmpdir(), 'incentives-effects-')),
  };
}, 120_000);
afterAll(() => rmSync(world.folder, { recursive: true, force: true }));

type Example = (world: World) => string[];
const { inOrg, ofUser } = options;
const ofPeriod: Example = ({ org, from, to }) => ['--org', org, '--from', from, '--to', to];

/** Options with which each admin command that only reads or exports runs once. */
const others: Record<string, Example> = {
  'audit list': inOrg,
  'book list': ({ older }) => ['--org', older],
  'book show': ({ older }) => ['--org', older, '--day', lastClosed],
  'book export': ({ older, folder }) => ['--org', older, '--day', lastClosed, '--out', folder],
  'drawing list': inOrg,
  'drawing show': (of) => [...inOrg(of), '--drawing', of.drawn],
  'drawing export': (of) => [...inOrg(of), '--drawing', of.drawn, '--out', of.folder],
  'explain ': (of) => [...inOrg(of), '--id', of.outcome],
  'game show': inOrg,
  'game scheduled': inOrg,
  'key list': inOrg,
  'org attention': inOrg,
  'org list': () => [],
  'page show': inOrg,
  'prize list': inOrg,
  'promotion show': inOrg,
  'report day': (of) => [...inOrg(of), '--day', of.to],
  'report winners': ofPeriod,
  'report liability': inOrg,
  'report taxes': (of) => [...inOrg(of), '--year', of.to.slice(0, 4)],
  'report amoe': ofPeriod,
  'stage queues': () => [],
  'stage alarms': () => [],
  'stage kept': () => ['--stack', 'any'],
  'user find': ofUser,
  'user latest': inOrg,
  'user history': ofUser,
  'user export': (of) => [...ofUser(of), '--file', join(of.folder, 'user.json')],
  'webhooks list': inOrg,
  'webhooks parked': () => [],
  'webhooks calls': (of) => [...inOrg(of), '--from', of.from],
};
/** Commands that read lists without strong consistency, so that the newest items can be missing. */
const readsOldItems = new Set(['book list', 'explain ', 'org attention', 'user export', 'user history']);
let lastClosed: string;

const declared = (isChange: boolean) =>
  [...nouns]
    .flatMap(([noun, { verbs }]) =>
      Object.entries(verbs).flatMap(([verb, { effect }]) =>
        (effect === 'changes') === isChange ? [`${noun} ${verb}`] : [],
      ),
    )
    .sort();

// biome-ignore lint/suspicious/noExplicitAny: whatever items a command writes
type Written = any;
type Write = { items: Written[] };

/**
 * Runs an admin command. Returns its output, its writes to the table in order, the declared options that it did not
 * read, and whether it read the table without strong consistency.
 */
async function run(name: string, options: string[]) {
  const writes: Write[] = [];
  const printed: string[] = [];
  const errors: string[] = [];
  let mayBeOld = false;
  const [noun = '', verb = ''] = name.split(' ');
  const declared = nouns.get(noun)!.verbs[verb]!;
  const { required, optional = {}, flags = [], run: runDeclared } = declared;
  const unread = new Set([...Object.keys(required), ...Object.keys(optional), ...flags]);
  declared.run = (values, context) => {
    // Includes options that are not given: a rest pattern such as `...more` reads only fields that the object has.
    const all = Object.fromEntries([...unread].map((option) => [option, values[option]]));
    const get = (_: object, option: string) => {
      unread.delete(option);
      return all[option];
    };
    return runDeclared(new Proxy(all, { get }) as typeof values, context);
  };
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { IndexName, ConsistentRead } = args.input as QueryCommandInput;
        mayBeOld ||= commandName === 'QueryCommand' && IndexName === undefined && !ConsistentRead;
        const written = itemsWritten(String(commandName), args.input);
        if (written) writes.push({ items: written });
        return next(args);
      },
    { step: 'initialize', name: 'writes' },
  );
  try {
    const output = { out: (text: string) => printed.push(text), error: (text: string) => errors.push(text) };
    const code = await runCommand([noun, verb, ...options, '--stage', 'local'], output);
    const json = JSON.parse(printed.join('') || '{}');
    return { code, errors: code === 0 ? [] : errors, json, writes, mayBeOld, unread: [...unread] };
  } finally {
    tableClient.middlewareStack.remove('writes');
    declared.run = runDeclared;
  }
}

/** Returns the items that a DynamoDB command puts, and the keys of other changed items. Undefined for reads. */
function itemsWritten(commandName: string, input: Written): Written[] | undefined {
  if (/Get|Query|Scan/.test(commandName)) return undefined;
  if (/TransactWrite/.test(commandName))
    return input.TransactItems.flatMap(
      ({ Put, Update, Delete }: Written) => Put?.Item ?? (Update ?? Delete)?.Key ?? [],
    );
  if (/BatchWrite/.test(commandName))
    return Object.values(input.RequestItems as Record<string, Written[]>)
      .flat()
      .map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key);
  return [input.Item ?? input.Key];
}

// Requires a reason, because an erasure also puts older records, from which it removes the reasons.
const isRecord = ({ kind, why, reason }: Written): boolean =>
  (kind === 'actions' && why !== undefined) || (kind === 'claims' && reason !== undefined);
// Tiles (parts) of a Merkle tree may be written before the action's record. Without the stored book, they have no
// effect.
const mayComeBefore = (name: string, { pk }: Written) => name === 'book close' && /^TILES#/.test(pk);

describe('a command that is declared to change data', () => {
  test('has an example here', () => {
    expect(Object.keys(changes).sort()).toEqual(declared(true));
  });

  test.each(Object.entries(changes))(
    '%s: writes a record of operator, reason, before and after, before it changes anything',
    async (name, example) => {
      const why = `Because of ${name}`;
      const { code, errors, json, writes, unread } = await run(name, [...example(world), '--why', why]);
      expect([code, errors, unread]).toEqual([0, [], []]);
      if (name === 'book close') lastClosed = json.closed.at(-1);
      const stored = writes.flatMap(({ items }) => items.filter(isRecord));
      const records = stored as ActionRecord[];
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) {
        // A step of a prize is in the user's history, with the reason that the host is told.
        const fields = String(record.kind) === 'claims' ? { reason: why } : { why };
        expect(record).toMatchObject({ operator: 'local', ...fields });
        expect(parseLeaf(leafLineOf(record)), JSON.stringify(record)).toBeDefined();
        if (!('why' in fields)) continue;
        expect(record).toMatchObject({ before: {}, after: {} });
        // Rebuilding an index changes no data.
        if (record.action !== 'reports_rebuilt') expect({ ...record.about, ...record.after }).not.toEqual({});
        if (record.action !== 'opened') expect(Object.keys(record.before)).toEqual(Object.keys(record.after));
      }
      if (name === 'game limits') world.scheduled = records[0]!.sequence;
      const first = writes.findIndex(({ items }) => items.some(isRecord));
      const early = writes.slice(0, first).flatMap(({ items }) => items);
      expect(early.filter((item) => !mayComeBefore(name, item))).toEqual([]);
    },
  );
});

describe('a command that is declared to read or export data', () => {
  test('has an example here', () => {
    expect(Object.keys(others).sort()).toEqual(declared(false));
  });

  test.each(Object.entries(others))('%s: writes nothing to the table', async (name, example) => {
    const { errors, writes, unread, mayBeOld } = await run(name, [...example(world), '--json']);
    expect([errors, writes, unread, mayBeOld]).toEqual([[], [], [], readsOldItems.has(name)]);
  });

  test('refuses --why, because it writes no record', async () => {
    const { code, errors } = await run('org list', ['--why', 'a look']);
    expect([code, errors.join()]).toEqual([2, expect.stringContaining("'--why'")]);
  });

  test('gets no operator, so that it cannot record a change', () => {
    command({
      effect: 'reads',
      summary: 'Reads',
      required: {},
      // @ts-expect-error: only a command that changes data gets an operator.
      run: async (_, { operator }) => ({ print: operator }),
    });
  });
});

describe('each command in one organization writes nothing and refuses', () => {
  /** Runs each command in this organization. Returns the names and messages of those that refuse. */
  async function refusalsIn(organizationId: string) {
    const refusals: [name: string, message: string | undefined][] = [];
    for (const [name, example] of Object.entries({ ...changes, ...others })) {
      const options = example({ ...world, org: organizationId, older: organizationId });
      if (!options.includes(organizationId)) continue;
      const why = name in changes ? ['--why', 'x'] : [];
      const { code, errors, writes } = await run(name, [...options, ...why]);
      expect([name, code, writes]).toEqual([name, 1, []]);
      refusals.push([name, errors.at(-1)]);
    }
    expect(refusals.length).toBeGreaterThan(30);
    return refusals;
  }

  test('an unknown organization', async () => {
    const unknown = 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    for (const refusal of await refusalsIn(unknown))
      expect(refusal).toEqual([refusal[0], `There is no organization ${unknown}.`]);
  });
});
