import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentOperations, operationsFile, packClient } from '../../infra/develop/client/pack.ts';
import { baseUrl, newOrganization } from '../support/api.ts';

const root = join(import.meta.dirname, '../..');

test('the client’s types and operations match the document; if not, run npm run client', () => {
  expect(readFileSync(operationsFile, 'utf8')).toBe(currentOperations());
});

describe('the package', () => {
  let folder: string;
  const run = async (command: string, args: string[], env = {}) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    return (await promisify(execFile)(command, args, options)).stdout;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'client-'));
    const packed = packClient(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', packed, '--offline', '--ignore-scripts', '--no-audit', '--no-fund']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('contains the README, and each module with its types', () => {
    const modules = readdirSync(join(root, 'shared/client')).filter((name) => name.endsWith('.ts'));
    const compiled = modules.flatMap((name) => ['.js', '.d.ts'].map((end) => name.replace('.ts', end)));
    const packed = readdirSync(join(folder, 'node_modules/incentives-client'));
    expect(packed.sort()).toEqual([...compiled, 'README.md', 'package.json'].sort());
  });

  test('installs in another project without dependencies, and works there', async () => {
    const { apiKey, organizationId } = await newOrganization();
    const installed = JSON.parse(await run('npm', ['ls', '--all', '--json'])).dependencies;
    expect(Object.keys(installed)).toEqual(['incentives-client']);
    expect(installed['incentives-client'].dependencies).toBeUndefined();
    writeFileSync(
      join(folder, 'use.js'),
      `import { createClient, IncentivesError } from 'incentives-client';
      import { verifyWebhook, WebhookVerificationError } from 'incentives-client/webhooks';
      const { baseUrl, apiKey, organizationId } = process.env;
      const incentives = createClient({ baseUrl, apiKey, organizationId });
      const { user_id } = await incentives.users.create({ external_reference: 'packed' });
      const seen = await incentives.users.get({ user_id });
      const refused = await incentives.users.create({ external_reference: '' }).catch((error) => error);
      const forged = await verifyWebhook({ body: '', headers: {}, secret: 's' }).catch((error) => error);
      console.log(JSON.stringify([seen.external_reference, refused instanceof IncentivesError && refused.code,
        forged instanceof WebhookVerificationError]));`,
    );
    const said = await run(process.execPath, ['use.js'], { baseUrl, apiKey, organizationId });
    expect(JSON.parse(said)).toEqual(['packed', 'validation_failed', true]);
  });

  test('has types with which a strict compiler checks calls', async () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { createClient, type ErrorCode, type Outcome } from 'incentives-client';
      import { verifyWebhook } from 'incentives-client/webhooks';
      const incentives = createClient({ baseUrl: '' });
      export async function run(): Promise<Outcome[]> {
        // @ts-expect-error: a key has to be given
        await incentives.tickets.credit({ user_id: '', amount: 1 });
        // @ts-expect-error: no such game
        await incentives.games.play({ user_id: '', game: 'poker' });
        const message = await verifyWebhook({ body: '', headers: {}, secret: '' });
        if (message.kind === 'event' && message.event.type === 'cash_won') {
          const usd: number = message.event.data.cash_usd;
          console.log(usd);
        }
        const code: ErrorCode = 'insufficient_tickets';
        console.log(code);
        const outcomes: Outcome[] = [];
        for await (const outcome of incentives.games.history.each({ user_id: '' })) outcomes.push(outcome);
        return outcomes;
      }`,
    );
    const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(await run(process.execPath, [tsc, ...strict, 'use.ts'])).toBe('');
  });
});
