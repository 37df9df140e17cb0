import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionNames } from '../../../infra/deploy/bundle.ts';
import { accessOf, baselineOf, bundleBaselines, type Client, clientsFor } from '../../bench/baselines.ts';
import { newOrganization } from '../../support/api.ts';
import { eventOf } from '../../support/invoke.ts';
import type { Resource } from './support.ts';
import { synth } from './synth.ts';

const names = functionNames();
const nameInAws = (name: string) => `incentives-staging-${name.replaceAll('/', '-')}`;
const build = join(import.meta.dirname, '../../../.build');
/** Path of each Lambda function's bundle, by the function's AWS name. */
let assets: Map<string, string>;
/** esbuild's metafiles of the functions' bundles, and of minimal bundles with only AWS SDK clients (`floors`). */
let functions: Metafile;
let floors: Metafile;
let scratch: string;

beforeAll(async () => {
  const { folder } = await synth({ stage: 'staging' });
  assets = assetsIn(folder);
  functions = JSON.parse(readFileSync(join(build, 'lambda/metafile.json'), 'utf8'));
  scratch = mkdtempSync(join(build, 'floors-'));
  floors = await bundleBaselines(
    scratch,
    names.map((name) => clientsFor(accessOf(name))),
  );
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function assetsIn(folder: string) {
  const { Resources } = JSON.parse(readFileSync(join(folder, 'incentives-staging.template.json'), 'utf8'));
  const all = (Object.values(Resources) as Resource[]).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const assetOf = (code: { S3Key: string }) => join(folder, `asset.${code.S3Key.replace('.zip', '')}`);
  return new Map(all.map(({ Properties }) => [String(Properties.FunctionName), assetOf(Properties.Code)]));
}

test('every function is deployed with its own bundle', () => {
  expect([...assets.keys()].sort()).toEqual(names.map(nameInAws).sort());
  expect(new Set(assets.values()).size).toBe(names.length);
  for (const asset of assets.values()) expect(readdirSync(asset)).toEqual(['index.js']);
});

const bundle = ({ outputs }: Metafile, name: string) =>
  Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.js`))![1];
const inputs = (metafile: Metafile, name: string) =>
  Object.entries(bundle(metafile, name).inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);

describe.each(names)('the bundle of %s', (name) => {
  test('contains no CommonJS copy of a package that also has ES modules', () => {
    const copies = inputs(functions, name).filter(([path]) => /dist-cjs|\/cjs\//.test(path));
    expect(copies).toEqual([]);
  });

  test('contains exactly the SDK clients that its access needs', () => {
    const packages: Record<string, Client | undefined> = {
      'client-dynamodb': 'dynamodb',
      'client-sqs': 'sqs',
      'client-kms': 'kms',
      // No function may contain this client, because only operators' commands use it.
      'client-scheduler': undefined,
    };
    const held = Object.keys(packages).filter((of) =>
      inputs(functions, name).some(([path]) => path.includes(`@aws-sdk/${of}/dist-es/`)),
    );
    expect(held.map((of) => packages[of])).toEqual(clientsFor(accessOf(name)));
  });

  const hasClients = clientsFor(accessOf(name)).length > 0;
  test.runIf(hasClients)(
    'is at most 1.5 times as large as its clients alone, without page contents, the beacon’s curve, timestamps and the check of books',
    () => {
      const more = inputs(functions, name).filter(([path]) =>
        /page-asset:|functions\/play\/page\/|@noble\/|@peculiar\/|asn1js\/|pvutils\/|pvtsutils\/|shared\/(timestamps|books\/(check|verify))\//.test(
          path,
        ),
      );
      const aside = more.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
      const floor = bundle(floors, baselineOf(clientsFor(accessOf(name)))).bytes;
      expect((bundle(functions, name).bytes - aside) / floor).toBeLessThan(1.5);
    },
  );
});

test('only the documentation contains its viewer', () => {
  const holding = names.filter((name) =>
    inputs(functions, name).some(([path]) => path.includes('functions/docs/page/')),
  );
  expect(holding).toEqual(['docs/file', 'docs/open']);
});

test('only functions that draw or check drawings contain the curve of the beacon', () => {
  const holding = names.filter((name) =>
    inputs(functions, name).some(([path]) => path.includes('@noble/curves/')),
  );
  expect(holding).toEqual(['workers/check-books', 'workers/run-drawings']);
});

test('only functions that ask for timestamps or check them contain the parsers of certificates', () => {
  const holding = names.filter((name) =>
    inputs(functions, name).some(([path]) => path.includes('@peculiar/')),
  );
  expect(holding).toEqual(['workers/check-books', 'workers/close-books', 'workers/run-drawings']);
});

test('a bundled function works on a table', async () => {
  const api = await newOrganization();
  const user_id = await api.user();
  const { handler } = createRequire(import.meta.url)(
    join(assets.get(nameInAws('tickets/credit'))!, 'index.js'),
  );
  const { organizationId } = api;
  const body = { amount: 3, idempotency_key: 'bundled' };
  const event = eventOf('tickets/credit', { organizationId, path: { user_id }, body });
  const { statusCode } = await handler(event, {} as Context);
  expect(statusCode).toBe(200);
  expect((await api.get(`/users/${user_id}/tickets/balance`)).body).toMatchObject({ balance: 3 });
});
