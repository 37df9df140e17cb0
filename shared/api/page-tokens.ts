import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../ids.ts';
import { refusals } from '../refusals.ts';

type ListRequest = {
  organizationId: string;
  /** Name of the route, such as `tickets/history`. */
  route: string;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
};

export type PageTokens = {
  /**
   * Position of the last item on the previous page, from the request's `next_token` or `after`. Undefined for
   * the first page.
   */
  after: string | undefined;
  nextToken: (last: string | undefined) => string;
};

/** Reads and writes the page tokens of a list. Throws a refusal for an invalid token. */
export function pageTokens(secret: string, request: ListRequest): PageTokens {
  const { next_token, after = next_token } = request.query;
  // A MAC covers list, filter and position, so that a host can neither forge a token nor use it for another list.
  return {
    after: after ? readToken(secret, request, String(after)) : undefined,
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
  // Accepts only the text that `writeToken` makes, because other base64url texts can decode to the same bytes.
  const asWritten = mac.length === macBytes && bytes.toString('base64url') === token;
  if (!asWritten || !timingSafeEqual(mac, macOf(secret, request, position))) {
    throw refusals.invalidToken(request.query.after === undefined ? 'next_token' : 'after');
  }
  return position.toString();
}

const macBytes = 16;

function macOf(secret: string, { organizationId, route, path, query }: ListRequest, position: Buffer) {
  const { limit, next_token, after, after_sequence, ...filter } = query;
  const list = canonicalJson([organizationId, route, path, filter]);
  return createHmac('sha256', secret).update(`${list}\n`).update(position).digest().subarray(0, macBytes);
}
