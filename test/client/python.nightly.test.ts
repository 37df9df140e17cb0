import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { currentPython, pythonFile } from '../../infra/develop/client/pack.ts';
import { bookClosableAt } from '../../shared/books/book.ts';
import { closeOpenBooks } from '../../shared/books/close-all.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { dayOf } from '../../shared/time.ts';
import { baseUrl, newOrganization } from '../support/api.ts';
import { writePlays } from '../support/played.ts';

const program = join(import.meta.dirname, 'host.py');

beforeAll(() => {
  if (spawnSync('python3', ['--version']).status !== 0)
    throw new Error('Install Python 3.9 or newer, as python3.');
});

test('the Python client’s operations match the document; if not, run npm run client', () => {
  expect(currentPython()).toBe(readFileSync(pythonFile, 'utf8'));
});

test('a host in Python is complete in spite of faults, and of lost, late and repeated webhooks', async () => {
  const { apiKey, organizationId } = await newOrganization();
  const table = defaultPrizeTables.prizewheel;
  const won = table.prizes.map(({ id }) => id);
  await writePlays({ organizationId, table, won, from: Date.now() - 3_600_000 });
  const env = {
    ...process.env,
    PYTHONPATH: dirname(pythonFile),
    INCENTIVES_URL: baseUrl,
    INCENTIVES_KEY: apiKey,
    INCENTIVES_ORGANIZATION: organizationId,
    OLD_USER: 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ',
    DAY: dayOf(Date.now()),
  };
  const host = async (...tests: string[]) => {
    const { stderr } = await promisify(execFile)('python3', ['-B', program, ...tests], { env });
    expect(stderr).toMatch(/\nOK\n$/);
  };
  await host('Calls', 'Attempts', 'Webhooks');
  await closeOpenBooks(organizationId, bookClosableAt(env.DAY));
  await host('Books');
});
