/** Operations of the cost model for reports, lists of webhook calls, schedules and the authorizer. */
import { createOrganization } from '../../../shared/actions/create-organization.ts';
import { callRecorder } from '../../../shared/webhooks/calls.ts';
import { registerWebhook } from '../../../shared/webhooks/webhooks.ts';
import { testContext } from '../../support/test-context.ts';
import { indexAll, writeReportRows } from '../report-rows.ts';
import { scaled } from '../row.ts';
import { request } from './host-operations.ts';
import type { Operation } from './measure.ts';

/** Operations that run a scheduled worker when it has nothing to process. */
export const scheduleOperations: Operation[] = [
  'start-spin-run',
  'sweep-receivers',
  'check-row-index',
  'check-payouts',
  'close-books',
  'check-books',
].map((name) => ({
  name: `${name}, with nothing to do`,
  of: `workers/${name}`,
  isRequest: false,
  prepare: async () => ({ now: new Date().toISOString() }),
}));

/** Returns the operation in which the authorizer looks up an API key. API Gateway caches the result for a minute. */
export async function authorizerOperation(): Promise<Operation> {
  const { api_key } = await createOrganization('Bench', 'local', testContext());
  const event = {
    headers: { authorization: `Bearer ${api_key}` },
    methodArn: 'arn:aws:execute-api:us-east-1:123456789012:api/local/GET/users',
  };
  return { name: 'a key looked up', of: 'authorizer', isRequest: false, prepare: async () => event };
}

const calls = 50;

/** Writes report rows and webhook calls. Returns operations that read one page of rows and one page of calls. */
export async function pageOperations(
  organizationId: string,
  callback_url: string,
  size: number,
): Promise<Operation[]> {
  const rows = scaled(1000, size, 20);
  const now = Date.now();
  await writeReportRows({ organizationId, count: 2 * rows, from: now - 86_400_000, to: now - 120_000 });
  await indexAll({ organizationId, report: 'tickets' }, now);
  const fields = { callback_url, secret_key: 'a-secret-of-some-length' };
  const { webhook_id } = await registerWebhook(organizationId, fields, now);
  const record = callRecorder();
  const body = JSON.stringify({ id: 'evt_01HZZZZZZZZZZZZZZZZZZZZZZZ', data: 'x'.repeat(350) });
  await Promise.all(
    Array.from({ length: calls }, () => record(callOf(organizationId, webhook_id, body, now))),
  );
  const [start, end] = [now, now + 1000].map((at) => new Date(at).toISOString());
  return [
    request(
      `a page of a report, ${rows} rows`,
      'reports/tickets',
      organizationId,
      async () => ({ query: { page: '0', page_size: String(rows) } }),
      { samples: 4 },
    ),
    request(`a page of calls, ${calls} calls`, 'webhooks/history', organizationId, async () => ({
      query: { start: start!, end: end!, limit: String(calls) },
    })),
  ];
}

const callOf = (organization_id: string, webhook_id: string, payload: string, now: number) => ({
  organization_id,
  webhook_id,
  event_id: 'evt_01HZZZZZZZZZZZZZZZZZZZZZZZ',
  event_type: 'balance_updated',
  timestamp: new Date(now).toISOString(),
  url: 'https://hooks.example.com/in',
  payload,
  attempt: 1,
  response_status: 200,
  duration_ms: 100,
});
