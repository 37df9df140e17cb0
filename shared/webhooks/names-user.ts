/** Decides whether a payload that a host sent with `invoke` names a user. */
import type { User } from '../accounts/user.ts';

/** What identifies a user in payloads: the id, and in those sent with `invoke` also the host's reference. */
export type UserIdentifiers = Pick<User, 'user_id' | 'external_reference'>;

export function userMatcher({ user_id, external_reference }: UserIdentifiers): (payload: string) => boolean {
  if (external_reference === '') return (payload) => payload.includes(user_id);
  const pattern = patternOf(external_reference.normalize());
  return (payload) =>
    payload.includes(user_id) ||
    [...payload.matchAll(tokens)].some(([token]) =>
      token.startsWith('"')
        ? formsOf(JSON.parse(token)).some((form) => pattern.test(form.normalize()))
        : token === external_reference,
    );
}

/** Matches the strings, numbers and words in JSON. Unlike `JSON.parse`, finds repeated fields and large numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+/g;

/** Matches a reference, unless it is a part of a longer word, number, date or time. */
function patternOf(reference: string): RegExp {
  const escaped = reference.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
  const isWord = (edge: RegExp) => edge.test(reference);
  const before = `${isWord(/^[\p{L}\p{M}\p{N}]/u) ? '(?<![\\p{L}\\p{M}\\p{N}])' : ''}${isWord(/^\d/) ? '(?<!\\d[.,:-])' : ''}`;
  const after = `${isWord(/[\p{L}\p{M}\p{N}]$/u) ? '(?![\\p{L}\\p{M}\\p{N}])' : ''}${isWord(/\d$/) ? '(?![.,:-]\\d)' : ''}`;
  return new RegExp(before + escaped + after, 'u');
}

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decode a text that a host has embedded in a URL, a form, JSON in JSON, or HTML. */
const decoders: ((text: string) => string)[] = [
  (text) =>
    text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
  (text) => text.replaceAll('+', ' '),
  (text) =>
    text.replace(/\\(?:u([\da-f]{4})|(["\\/bfnrt]))/gi, (_, unit?: string, sign = '') =>
      unit ? String.fromCharCode(Number.parseInt(unit, 16)) : (controls[sign] ?? sign),
    ),
  (text) =>
    text.replace(
      /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos));/gi,
      (_, dec?: string, hex?: string, name = '') =>
        name
          ? entities[name.toLowerCase()]!
          : String.fromCodePoint(dec ? Number(dec) : Number.parseInt(hex!, 16)),
    ),
];

function formsOf(text: string): string[] {
  if (!/[%+&\\]/.test(text)) return [text];
  const forms = new Set([text]);
  for (let round = 0; round < 3; round++)
    for (const form of [...forms]) for (const decode of decoders) forms.add(decode(form));
  return [...forms];
}
