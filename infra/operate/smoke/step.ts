import { type Client, createClient, IncentivesError } from '../../../shared/client/client.ts';
import type { Stage } from '../../../shared/stage.ts';
import type { Credentials } from './organization.ts';

/** What the steps of a run share. */
export type Run = Credentials & {
  stage: Stage;
  /** The address of the API. */
  address: string;
  client: Client;
  /** Where webhooks are told, if they are to be tried. */
  callback: string | undefined;
  userId?: string;
};

/** One thing that is tried. It throws an Error that says what is wrong, and returns what it saw in a few words. */
export type Step = {
  name: string;
  /** Why it is not tried, if it is not. */
  skip?: (run: Run) => string | undefined;
  try: (run: Run) => Promise<string>;
};

/** A client of the stage, with credentials of the run or others. */
export const clientOf = (address: string, { apiKey, organizationId }: Partial<Credentials>): Client =>
  createClient({
    baseUrl: address,
    tries: 3,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(organizationId === undefined ? {} : { organizationId }),
  });

/** The user of the run. Throws if none could be made. */
export function userOf({ userId }: Run): string {
  if (userId === undefined) throw new Error('not tried, as there is no user');
  return userId;
}

/** An answer as it came over HTTP. */
export type Answer = { status: number; headers: Headers; text: string };

const timeoutMs = 35_000;

/** Fetches an address. Throws an Error that does not name it, which may be secret, if nothing answers. */
export async function fetched(url: string, options: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    throw new Error('no answer');
  }
}

/** Sends a body to the API as the run's organization, for what the client does not tell: statuses and headers. */
export const posted = ({ address, apiKey, organizationId }: Run, path: string, body: object) =>
  fetched(`${address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-organization-id': organizationId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** The body of a success in JSON. Throws an IncentivesError for anything else. */
export function successOf({ status, text }: Answer): Record<string, unknown> {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    if (status === 200 && body.status === 'success') return body;
  } catch {
    // Said below, as any other answer that is none.
  }
  throw new IncentivesError('unexpected_answer', `HTTP ${status}, and no success`, { status });
}
