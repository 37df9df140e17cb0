import { expect, test } from 'vitest';
import { organizationId } from '../examples.ts';
import { secret } from './example-requests.ts';
import { itemAt, rulesBrokenBy, token } from './examples.ts';

const rule = 'no secret is stored in plain text';

test.each([
  ['the token of a play URL', token],
  ['the secret of an API key', 'K'.repeat(43)],
  ['a token within a text', `PLAY#${token}`],
  ['a token within a longer word', `x${token}y`],
])('%s is detected wherever it is stored', (_, text) => {
  const stored = (field: object) =>
    rulesBrokenBy((world) => {
      world.items.push({ pk: `KEY#${organizationId}`, sk: 'KEY', ...field });
    });
  expect(stored({ some: { field: [text] } })).toContain(rule);
  expect(stored({ pk: text })).toContain(rule);
});

test('a token or secret in a log is detected', () => {
  for (const text of [token, 'K'.repeat(43), secret]) {
    expect(rulesBrokenBy(({ journal }) => journal.logs.push(`{"message":"is ${text}."}`))).toContain(
      'no secret is logged',
    );
  }
});

test('a webhook’s secret in its item is detected', () => {
  expect(
    rulesBrokenBy((world) => {
      itemAt(world, 'WEBHOOK#').secret = secret;
    }),
  ).toContain(rule);
  expect(
    rulesBrokenBy((world) => {
      itemAt(world, 'WEBHOOK#').previous = [{ secret }];
    }),
  ).toContain(rule);
});
