/**
 * The journal: everything that clients, receivers and operators sent and received. Rules compare it with the
 * table.
 */
import type { EndpointName } from '../support/invoke.ts';

/** An HTTP request to the API. */
export type HttpRequest = {
  method: string;
  /** Excludes the query string. */
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  body?: string;
};
/** An HTTP response. Header names are in lower case; a compressed body is decompressed. */
export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/**
 * A request to the API with its answer. Times are true epoch milliseconds, whatever an instance's clock says.
 */
export type Exchange = {
  sentAt: number;
  /** The endpoint and its parameters. The token of a play URL is a path parameter. */
  endpoint: EndpointName;
  /** The organization of the host or player that sends the request. */
  organizationId: string;
  path: Record<string, string>;
  query: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was sent
  body: any;
  /**
   * The deliberate mistake in the request, if there is one. The API must refuse it with a 4xx and change
   * nothing.
   */
  mistake?: string;
  /**
   * Identifies a request across retries: retries have the same number and content. Clients retry after a lost
   * answer, a 429 or a 503, and sometimes without a reason.
   */
  intent: number;
  /**
   * Absent if the answer was lost or is still to come. JSON bodies are parsed. The body of a play page is its
   * `PageData`, with the visible text as `text`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was answered
  answer?: { at: number; status: number; headers: Record<string, string>; body: any };
};

/** A call to a URL, whether or not it has a receiver. */
export type ReceiverCall = {
  at: number;
  url: string;
  /** The addresses that the caller may dial. It tries the next one if a connection fails. */
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  /** The response's status, or the failure. */
  reaction: number | 'hung' | 'hung up' | 'refused';
  /** The `Retry-After` header of the response. */
  retryAfter?: string;
};

/** A command of `npm run admin` with its output. */
export type OperatorCommand = { at: number; args: string[]; exitCode: number; printed: unknown };

/** One write or transaction: each item before and after it, as plain values. */
export type Commit = {
  at: number;
  changes: { before: StoredItem | undefined; after: StoredItem | undefined }[];
  /** The function that wrote (`tickets/credit`), `operator` or `ttl`. */
  by: string;
};
// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever is stored
export type StoredItem = Record<string, any> & { pk: string; sk: string };

/** The journal of a world. Each list is in order of time. */
export type Journal = {
  exchanges: Exchange[];
  receiverCalls: ReceiverCall[];
  operatorCommands: OperatorCommand[];
  /** The log lines of all functions. */
  logs: string[];
};
