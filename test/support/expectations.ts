import { expect } from 'vitest';
import type { Answer } from './api.ts';

/** Expects exactly this error response, and the headers that all responses of the API have. */
export function expectError(
  answer: Answer,
  status: number,
  code: string,
  message: string,
  detail?: string,
): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { status: 'error', message, code, ...(detail ? { detail } : {}), request_id: expect.any(String) },
  });
  expectHeaders(answer);
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
}

/** Expects a validation error. `status` is usually 422, but for example 400 for a body that is too large. */
export const expectInvalid = (answer: Answer, message: string, status = 422): void =>
  expectError(answer, status, 'validation_failed', message);

/** Expects a successful response whose body has exactly these fields and `status: "success"`. */
export function expectSuccess(answer: Answer, fields: Record<string, unknown>): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: { status: 'success', ...fields },
  });
  expectHeaders(answer);
}

function expectHeaders({ headers }: Answer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^\S+$/);
}

/** Expects no replay. Skips retried requests, because a retry can replay the first attempt's response. */
export function expectNoReplay({ headers, sent }: Answer): void {
  if (sent === 1) expect(headers.get('idempotent-replayed')).toBeNull();
}

/** Expects equal responses to concurrent requests with one idempotency key. All but at most one must be replays. */
export function expectOneUse(answers: Answer[]): void {
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const first = answers.filter(({ headers }) => headers.get('idempotent-replayed') === null);
  expect(first.length).toBeLessThanOrEqual(1);
  // With retries, the original response can be lost, so that all remaining responses are marked as replays.
  if (answers.every(({ sent }) => sent === 1)) expect(first).toHaveLength(1);
}

export const userId = expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/);
export const transactionId = expect.stringMatching(/^txn_[0-9A-HJKMNP-TV-Z]{26}$/);
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
