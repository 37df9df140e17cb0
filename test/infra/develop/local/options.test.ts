import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { expect, test } from 'vitest';
import { Problem } from '../../../../infra/common/problem.ts';
import { listen } from '../../../../infra/develop/local/listen.ts';
import { optionsOf } from '../../../../infra/develop/local/options.ts';

test.each([
  [['--data', 'folder'], {}, { data: 'folder', port: 3000 }],
  [['--data', 'folder', '--table', 'copy'], {}, { data: 'folder', table: 'copy', port: 3000 }],
  [[], { PORT: '0' }, { port: 0 }],
  [[], { PORT: '' }, { port: 3000 }],
  [['-h'], { PORT: '65535' }, { help: true, port: 65_535 }],
])('%j with %o is parsed', (args, environment, options) => {
  expect(optionsOf(args, environment)).toEqual(options);
});

test.each([
  [[], { PORT: 'many' }, 'PORT must be a whole number from 0 to 65535, but is "many".'],
  [[], { PORT: '70000' }, 'but is "70000"'],
  [[], { PORT: '3000.5' }, 'but is "3000.5"'],
  [['--data', ''], {}, '--data is empty, and must be a folder.'],
  [['--table', 'a table'], {}, '--table is "a table", and must be 3 to 255 letters'],
  [[], { PORT: ' ' }, 'but is " "'],
  [['--unknown'], {}, "Unknown option '--unknown'"],
  [['folder'], {}, "Unexpected argument 'folder'"],
])('%j with %o is refused with a reason', (args, environment, message) => {
  const asking = () => optionsOf(args, environment);
  expect(asking).toThrow(Problem);
  expect(asking).toThrow(message);
});

test.each([
  ['EADDRINUSE', 'Port 80 is in use.'],
  ['EACCES', "You don't have permission to use port 80."],
  ['EMFILE', undefined],
])('a port that cannot be used because of %s gets a reason or its error', async (code, reason) => {
  const error = Object.assign(new Error(code), { code });
  const server = Object.assign(new EventEmitter(), {
    listen: () => setImmediate(() => server.emit('error', error)),
  });
  const failed = await listen(server as unknown as Server, 80).catch((thrown: unknown) => thrown);
  if (reason) expect(String(failed)).toContain(reason);
  else expect(failed).toBe(error);
  expect(failed instanceof Problem).toBe(reason !== undefined);
});
