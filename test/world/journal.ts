/**
 * The journal: everything that hosts, players, receivers and operators sent and received. Rules compare it
 * with the table.
 */
import type { Key } from '../support/dynamodb/keys.ts';
import type { EndpointName } from '../support/invoke.ts';

export type HttpRequest = {
  method: string;
  /** Path without the query string. */
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  body?: string;
};
/** An HTTP response of the API. Header names are in lower case. The body is decompressed. */
export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/** A request to the API with its response. Times are epoch milliseconds of the world's clock. */
export type Exchange = {
  sentAt: number;
  endpoint: EndpointName;
  /** Id of the organization whose host or player sends the request. */
  organizationId: string;
  path: Record<string, string>;
  query: Record<string, string>;
  /** A string body is sent unchanged, anything else as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was sent
  body: any;
  /** The deliberate mistake in an invalid request. The API must refuse the request with a 4xx status. */
  mistake?: string;
  /** Number shared by a request, its retries and its later repetitions, which all have the same content. */
  requestNumber: number;
  /** Absent if no response arrived. `body` is parsed JSON, or the data embedded in a play page. */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was answered
  answer?: { at: number; status: number; headers: Record<string, string>; body: any };
};

/** A function's call to a webhook's URL. The network refuses connections to URLs without a simulated receiver. */
export type ReceiverCall = {
  at: number;
  url: string;
  /** IP addresses from the function's DNS lookup. If a connection fails, the function tries the next address. */
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  /** Status of the response, or how the call failed. */
  reaction: number | 'hung' | 'hung up' | 'refused';
  retryAfter?: string;
};

/** An operator's command, run in a terminal or in the console, and its output. */
export type OperatorCommand = { at: number; args: string[]; exitCode: number; printed: unknown };

/**
 * One write or transaction on the table: each changed item before and after it, without DynamoDB's type
 * descriptors.
 */
export type Commit = {
  at: number;
  changes: { key: Key; before: StoredItem | undefined; after: StoredItem | undefined }[];
  /** Writer of the change: a function such as `tickets/credit`, `operator`, or `ttl` for an expired item. */
  writer: string;
};
// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever is stored
export type StoredItem = Record<string, any> & { pk: string; sk: string };

/** The journal of a world. Requests are in the order of sending, operators' commands in the order of completion. */
export type Journal = {
  exchanges: Exchange[];
  receiverCalls: ReceiverCall[];
  operatorCommands: OperatorCommand[];
  /** Log lines of all functions. */
  logs: string[];
};

export const newJournal = (): Journal => ({
  exchanges: [],
  receiverCalls: [],
  operatorCommands: [],
  logs: [],
});
