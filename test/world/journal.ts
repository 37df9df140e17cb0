/** What was sent and seen in a world, by those outside of the service: what its rules are held against. */
import type { EndpointName } from '../support/invoke.ts';

/** An HTTP request to the API, as it leaves its sender. */
export type HttpRequest = {
  method: string;
  /** Without the query. */
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  body?: string;
};
/** Header names are in lower case; a body that came compressed has been unpacked. */
export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/** One request to the API and its answer; times are true ones, in epoch milliseconds. */
export type Exchange = {
  sentAt: number;
  /** The endpoint that the sender means, and what it says there; the play page's token is a path parameter too. */
  endpoint: EndpointName;
  /** The organization that sends it, or whose player does. */
  organizationId: string;
  path: Record<string, string>;
  query: Record<string, string>;
  /** Text is sent as it is, all else as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was sent
  body: any;
  /** What is wrong with it, if its sender knows that something is: it must be refused with a 4xx and change nothing. */
  mistake?: string;
  /**
   * Requests that are one request sent again have the same number, and all else of them is the same. A sender repeats
   * it after a lost answer, a 429 or a 503, and now and then for no reason.
   */
  intent: number;
  /**
   * None if it was lost on the way, or is still to come. A body is JSON as parsed; of a play page it is the page's data
   * (`PageData`) with the text that one sees in `text`; of all else it is text.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was answered
  answer?: { at: number; status: number; headers: Record<string, string>; body: any };
};

/** One call that reached a receiver, or an address at which there is none. */
export type ReceiverCall = {
  at: number;
  url: string;
  /** The addresses of which any may be dialled: if one takes no connection, the next is tried. */
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  /** A status, or what the receiver did instead. */
  reaction: number | 'hung' | 'hung up' | 'refused';
  /** The `Retry-After` that came with the status. */
  retryAfter?: string;
};

/** What an operator did: a command of `npm run admin`, and what it printed. */
export type OperatorCommand = { at: number; args: string[]; exitCode: number; printed: unknown };

/** What was written in one step: all items of one write or transaction, each as it was and as it is. Plain values. */
export type Commit = {
  at: number;
  changes: { before: StoredItem | undefined; after: StoredItem | undefined }[];
  /** The function that wrote (`tickets/credit`), `operator`, or `ttl`. */
  by: string;
};
// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever is stored
export type StoredItem = Record<string, any> & { pk: string; sk: string };

/** All of it, each list in the order of time. */
export type Journal = {
  exchanges: Exchange[];
  receiverCalls: ReceiverCall[];
  operatorCommands: OperatorCommand[];
  /** The lines of all logs. */
  logs: string[];
};
