/** Packs values into fewer bytes. Unpacking must return the same value. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { dayOfEpochDays, epochDaysOf, formatInstant, parseStoredInstant } from './instants.ts';
import { compressionDictionary } from './sample-events.ts';

/** The first byte of a stored binary, by the form of the value. These numbers must never change. */
const form = {
  bytes: 0,
  absent: 1,
  ulid: 2,
  uuid: 3,
  hex: 4,
  digest: 5,
  version: 6,
  instant: 7,
  day: 8,
  text: 9,
  /** An id with the first prefix in `idPrefixes`. The numbers from 17 on mark ids with the later prefixes. */
  id: 16,
} as const;
const idPrefixes = ['org_', 'usr_', 'txn_', 'out_', 'wh_', 'evt_', 'inv_', 'ord_', 'act_', 'drw_'];

/** Marks a field that the item does not have, although `fieldsImpliedByKey` would derive the field from the key. */
export const absentMark = Uint8Array.of(form.absent);
export const isAbsent = (value: unknown): boolean =>
  value instanceof Uint8Array && value.length === 1 && value[0] === form.absent;

/** Packs ids, digests, times and long texts into bytes. Other texts stay unchanged. */
export function packText(text: string): string | Uint8Array {
  const { length } = text;
  if (length < 10) return text;
  if (length === 10) return packDay(text) ?? text;
  if (length === 24) return packInstant(text) ?? text;
  if (length === 26) return packUlid(form.ulid, text, 0) ?? text;
  if (length === 29 || length === 30) return packId(text) ?? text;
  if (length < 32) return text;
  if (length === 36 && text[8] === '-') return packUuid(text) ?? text;
  if (length === 43) return packDigest(form.digest, text, '') ?? text;
  return packHex(text) ?? packVersion(text) ?? packLong(text) ?? text;
}

export const packBytes = (bytes: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(form.bytes), bytes]);

export function unpackBinary(stored: Uint8Array): string | Uint8Array {
  const tag = stored[0]!;
  if (tag >= form.id) return unpackUlid(stored, idTexts[tag - form.id]!);
  const bytes = Buffer.from(stored.buffer, stored.byteOffset + 1, stored.length - 1);
  switch (tag) {
    case form.bytes:
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    case form.ulid:
      return unpackUlid(stored, ulidText);
    case form.uuid:
      return unpackUuid(bytes.toString('hex'));
    case form.hex:
      return bytes.toString('hex');
    case form.digest:
      return bytes.toString('base64url');
    case form.version:
      return `${bytes.toString('latin1', 32)}-${bytes.toString('base64url', 0, 32)}`;
    case form.instant:
      return formatInstant(bytes.readUIntBE(0, 6));
    case form.day:
      return dayOfEpochDays(bytes.readUInt16BE());
    case form.text:
      return inflateRawSync(bytes, { ...deflateOptions, maxOutputLength: 4 * longText.max }).toString();
    default:
      throw new Error(`unknown form of a stored value: ${tag}`);
  }
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The value of a ULID digit (0 to 31) by its character code; 255 for other characters. */
const digitOf = new Uint8Array(128).fill(255);
for (let value = 0; value < 32; value++) digitOf[digits.charCodeAt(value)] = value;
const codeOf = Buffer.from(digits, 'latin1');

function packId(text: string): Uint8Array | undefined {
  const prefix = idPrefixes.indexOf(text.slice(0, -26));
  return prefix === -1 ? undefined : packUlid(form.id + prefix, text, text.length - 26);
}

/** Packs the ULID at position `from`, if there is one. The first digit of a ULID takes 3 bits, each other digit 5. */
function packUlid(tag: number, text: string, from: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafe(17);
  bytes[0] = tag;
  let [at, bits, held] = [1, -2, 0];
  for (let i = from; i < from + 26; i++) {
    const value = digitOf[text.charCodeAt(i)] ?? 255;
    if (value > (i === from ? 7 : 31)) return undefined;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  return bytes;
}

// Buffers that all calls reuse. The buffers of `idTexts` already contain the prefixes of ids.
const ulidText = Buffer.alloc(26);
const idTexts = idPrefixes.map((prefix) => Buffer.from(prefix.padEnd(prefix.length + 26), 'latin1'));
function unpackUlid(bytes: Uint8Array, buffer: Buffer): string {
  let [at, bits, held] = [buffer.length - 26, 2, 0];
  for (let i = 1; i <= 16; i++) {
    held = ((held << 8) | bytes[i]!) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      buffer[at++] = codeOf[(held >> bits) & 31]!;
    }
  }
  return buffer.toString('latin1');
}

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const packUuid = (text: string) =>
  isUuid.test(text) ? tagged(form.uuid, 16, withoutDashes(text), 'hex') : undefined;
const withoutDashes = (text: string) =>
  text.slice(0, 8) + text.slice(9, 13) + text.slice(14, 18) + text.slice(19, 23) + text.slice(24);
const unpackUuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const isHex = /^(?:[0-9a-f]{2})+$/;
const packHex = (text: string) =>
  isHex.test(text) ? tagged(form.hex, text.length / 2, text, 'hex') : undefined;

// A digest's last character has two unused bits, which must be zero: otherwise, unpacking would change the text.
const isDigest = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
/** Packs a digest (43 characters of base64url) between `tag` and `word`. Returns undefined for other texts. */
function packDigest(tag: number, text: string, word: string): Uint8Array | undefined {
  if (!isDigest.test(text)) return undefined;
  const bytes = tagged(tag, 32 + word.length, text, 'base64url');
  bytes.write(word, 33, 'latin1');
  return bytes;
}

const isWord = /^[a-z]{1,30}$/;
function packVersion(text: string): Uint8Array | undefined {
  const end = text.length - 44;
  if (text[end] !== '-' || !isWord.test(text.slice(0, end))) return undefined;
  return packDigest(form.version, text.slice(end + 1), text.slice(0, end));
}

function packInstant(text: string): Uint8Array | undefined {
  const epochMs = text[23] === 'Z' ? parseStoredInstant(text) : undefined;
  if (epochMs === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(7);
  bytes[0] = form.instant;
  bytes.writeUIntBE(epochMs, 1, 6);
  return bytes;
}

function packDay(text: string): Uint8Array | undefined {
  const days = text[4] === '-' ? epochDaysOf(text) : undefined;
  return days !== undefined && days < 2 ** 16 ? Buffer.from([form.day, days >> 8, days]) : undefined;
}

// Lengths of texts to compress, in characters. Longer texts are images, which deflate cannot shrink.
const longText = { min: 200, max: 32_768 };
const deflateOptions = { dictionary: Buffer.from(compressionDictionary) };
function packLong(text: string): Uint8Array | undefined {
  if (text.length < longText.min || text.length > longText.max || !text.isWellFormed()) return undefined;
  const bytes = Buffer.concat([Uint8Array.of(form.text), deflateRawSync(text, deflateOptions)]);
  return bytes.length < Buffer.byteLength(text) ? bytes : undefined;
}

function tagged(tag: number, length: number, text: string, encoding: 'hex' | 'base64url'): Buffer {
  const bytes = Buffer.allocUnsafe(1 + length);
  bytes[0] = tag;
  bytes.write(text, 1, encoding);
  return bytes;
}
