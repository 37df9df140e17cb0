import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { type Client, createClient, IncentivesError } from '../../../shared/client/client.ts';
import type { Stage } from '../../../shared/stage.ts';
import type { Credentials } from './organization.ts';

export type Run = Credentials & {
  stage: Stage;
  context: ActionContext;
  /** Address of the API, without a trailing slash. */
  address: string;
  client: Client;
  /** If undefined, the webhook step is skipped. */
  callback: string | undefined;
  userId?: string;
};

/** `check` returns a short description of what it found, or throws an Error. */
export type Step = {
  name: string;
  skip?: (run: Run) => string | undefined;
  check: (run: Run) => Promise<string>;
};

/** Without an API key, a step can test that requests are refused. */
export const newClient = (address: string, { apiKey, organizationId }: Partial<Credentials>): Client =>
  createClient({
    baseUrl: address,
    tries: 3,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(organizationId === undefined ? {} : { organizationId }),
  });

/** Throws if the `users` step could not create the user. */
export function expectUser({ userId }: Run): string {
  if (userId === undefined) throw new Error('not run, because there is no user');
  return userId;
}

export type Answer = { status: number; headers: Headers; text: string };

const timeoutMs = 35_000;

/** Without a response, throws an Error that omits the URL, which may be secret. */
export async function send(url: string, options: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    throw new Error('no response');
  }
}

/** Uses `fetch`, because the API client returns neither status nor headers. */
export const post = ({ address, apiKey, organizationId }: Run, path: string, body: object) =>
  send(`${address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-organization-id': organizationId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** Returns the body of a success. Throws an IncentivesError for any other response. */
export function expectOk({ status, text }: Answer): Record<string, unknown> {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    if (status === 200 && body.status === 'success') return body;
  } catch {
    // A body that is not JSON also counts as a failure, so execution continues at the `throw` below.
  }
  throw new IncentivesError('unexpected_answer', `HTTP ${status} without a success`, { status });
}
