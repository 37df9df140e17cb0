import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleForLambda, functionNames } from '../../infra/bundle.ts';
import { accessOf, bundleFloors, type Client, clientsFor, floorOf } from '../bench/floors.ts';
import { newOrganization } from '../support/api.ts';
import { eventOf } from '../support/invoke.ts';

const names = functionNames();
const build = join(import.meta.dirname, '../../.build');
let folder: string;
let functions: Metafile;
let floors: Metafile;

beforeAll(async () => {
  mkdirSync(build, { recursive: true });
  folder = mkdtempSync(join(build, 'bundles-'));
  // On Lambda no package.json of ours says that a script is a module.
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  functions = await bundleForLambda(folder);
  floors = await bundleFloors(
    folder,
    names.map((name) => clientsFor(accessOf(name))),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundle = ({ outputs }: Metafile, name: string) =>
  Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.js`))![1];
const inputs = (metafile: Metafile, name: string) =>
  Object.entries(bundle(metafile, name).inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);

describe.each(names)('the bundle of %s', (name) => {
  test('holds no CommonJS copy of a package that has ES modules too', () => {
    const copies = inputs(functions, name).filter(([path]) => /dist-cjs|\/cjs\//.test(path));
    expect(copies).toEqual([]);
  });

  test('holds the clients that its access takes, and no others', () => {
    const packages: Record<string, Client> = {
      'client-dynamodb': 'dynamodb',
      'client-sqs': 'sqs',
      'client-scheduler': 'scheduler',
      'client-kms': 'kms',
    };
    const held = Object.keys(packages).filter((of) =>
      inputs(functions, name).some(([path]) => path.includes(`@aws-sdk/${of}/dist-es/`)),
    );
    expect(held.map((of) => packages[of])).toEqual(clientsFor(accessOf(name)));
  });

  test('is no larger than 1.6 times its clients alone, what a page shows aside', () => {
    const shown = inputs(functions, name).filter(([path]) =>
      /page-asset:|functions\/play\/page\//.test(path),
    );
    const page = shown.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    const floor = bundle(floors, floorOf(clientsFor(accessOf(name)))).bytes;
    expect((bundle(functions, name).bytes - page) / floor).toBeLessThan(1.6);
  });
});

test('a bundled function works on a table', async () => {
  const api = await newOrganization();
  const user_id = await api.user();
  const { handler } = createRequire(import.meta.url)(join(folder, 'tickets/credit/index.js'));
  const { organizationId } = api;
  const body = { amount: 3, idempotency_key: 'bundled' };
  const event = eventOf('tickets/credit', { organizationId, path: { user_id }, body });
  const { statusCode } = await handler(event, {} as Context);
  expect(statusCode).toBe(200);
  expect((await api.get(`/users/${user_id}/tickets/balance`)).body).toMatchObject({ balance: 3 });
});
