import { expect, test } from 'vitest';
import { untilAnswered } from './repeat.ts';

const refusal = (status: number, code: string, headers: Record<string, string> = { 'retry-after': '0' }) => ({
  status,
  headers: new Headers(headers),
  body: { code },
});
const done = { status: 200, headers: new Headers({ 'idempotent-replayed': 'true' }), body: {} };
const answering = (...answers: (typeof done)[]) => untilAnswered(async () => answers.shift()!);

test('a request is sent again while the refusal is temporary', async () => {
  const refusals = [refusal(429, 'too_many_requests'), refusal(503, 'outcome_unknown')];
  expect(await answering(...refusals, done)).toEqual({ ...done, sent: 3 });
});

test.each([
  ['another code', refusal(503, 'internal_error')],
  ['another status', refusal(500, 'unavailable')],
  ['no time to come again', refusal(503, 'unavailable', {})],
])('a refusal with %s is final', async (_, answer) => {
  expect(await answering(answer, done)).toEqual({ ...answer, sent: 1 });
});
