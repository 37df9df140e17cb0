/** Pagination tokens: the `next_token` of a page and of the request for the next one. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../ids.ts';
import { refusals } from '../refusals.ts';

/** The parsed request for a page of a list. */
export type ListRequest = {
  organizationId: string;
  /** The route's name. */
  route: string;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
};

/** The position at which a page begins, and the function that makes the token of the next page. */
export type PageTokens = {
  /**
   * The position after which the page begins, from the request's `next_token`; undefined for the first page.
   */
  after: string | undefined;
  /** Returns the page's `next_token`, given the position of its last item; empty if no page follows. */
  nextToken: (last: string | undefined) => string;
};

/**
 * Reads the token of a request, and makes the token of the next page. A token consists of a position and a
 * MAC over the position, organization, route, path parameters and query (without `limit` and `next_token`).
 * The MAC makes it valid for one list and filter, and hosts cannot forge it. Throws a refusal for an invalid
 * token.
 */
export function pageTokens(secret: string, request: ListRequest): PageTokens {
  const token = request.query.next_token;
  return {
    after: token ? readToken(secret, request, String(token)) : undefined,
    nextToken: (last) => (last === undefined ? '' : writeToken(secret, request, last)),
  };
}

function writeToken(secret: string, request: ListRequest, position: string): string {
  const bytes = Buffer.from(position);
  return Buffer.concat([macOf(secret, request, bytes), bytes]).toString('base64url');
}

function readToken(secret: string, request: ListRequest, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const [mac, position] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)];
  // Several base64 texts decode to the same bytes; only the canonical one is accepted.
  const asWritten = mac.length === macBytes && bytes.toString('base64url') === token;
  if (!asWritten || !timingSafeEqual(mac, macOf(secret, request, position))) throw refusals.invalidToken();
  return position.toString();
}

const macBytes = 16;

function macOf(secret: string, { organizationId, route, path, query }: ListRequest, position: Buffer) {
  const { limit, next_token, ...filter } = query;
  const list = canonicalJson([organizationId, route, path, filter]);
  return createHmac('sha256', secret).update(`${list}\n`).update(position).digest().subarray(0, macBytes);
}
