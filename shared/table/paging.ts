import { sha256 } from '../ids.ts';
import { refusals } from '../refusals.ts';

const checkOf = (list: string, position: string) => sha256(`${list}\n${position}`).slice(0, 12);

/** An opaque, URL-safe token for a position in a list; it is no good for any other list. */
export function writeToken(list: string, position: string): string {
  return Buffer.from(checkOf(list, position) + position).toString('base64url');
}

/** The position in a token. Throws a refusal of `next_token` for a token that was not made for this list. */
export function readToken(list: string, token: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  const position = text.slice(12);
  if (token !== writeToken(list, position))
    throw refusals.invalid('next_token: Input should be a valid token');
  return position;
}
