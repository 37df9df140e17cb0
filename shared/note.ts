/** Formats, parses and checks signed notes (C2SP signed-note). */
import { createHash, createPublicKey, verify } from 'node:crypto';

/** `publicKey` is the 32-byte Ed25519 key. */
export type NoteSigner = { name: string; publicKey: Buffer };

/** `keyId` is 8 hex digits; different keys can have the same id. */
export type NoteSignature = { name: string; keyId: string; signature: Buffer };

/** `text` includes its final newline. */
export type SignedNote = { text: string; signatures: NoteSignature[] };

const ed25519 = 0x01;
// The bytes that precede the raw key in the DER form of an Ed25519 public key.
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const nameForm = /^[^\s+\u{fffd}]{1,200}$/u;
const maxSignatures = 16;

/** Returns the id of a signer's key: the first 8 hex digits of the SHA-256 of the signer's name and key. */
export function keyIdOf({ name, publicKey }: NoteSigner): string {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(ed25519))
    .update(publicKey)
    .digest('hex')
    .slice(0, 8);
}

export function verifierKeyOf(signer: NoteSigner): string {
  const key = Buffer.concat([Buffer.of(ed25519), signer.publicKey]);
  return `${signer.name}+${keyIdOf(signer)}+${key.toString('base64')}`;
}

/** Returns undefined unless the text is an Ed25519 key in the form of `verifierKeyOf`. */
export function parseVerifierKey(verifierKey: string): NoteSigner | undefined {
  const [name = '', , ...encoded] = verifierKey.split('+');
  const key = Buffer.from(encoded.join('+'), 'base64');
  const signer = { name, publicKey: key.subarray(1) };
  if (!nameForm.test(name) || key.length !== 33) return undefined;
  return verifierKeyOf(signer) === verifierKey ? signer : undefined;
}

/** Returns the 32 raw bytes of an Ed25519 public key in DER form. Throws for other key types. */
export function rawPublicKey(der: Uint8Array): Buffer {
  const bytes = Buffer.from(der);
  if (bytes.length !== derPrefix.length + 32 || !bytes.subarray(0, derPrefix.length).equals(derPrefix)) {
    throw new Error('the key is not an Ed25519 public key');
  }
  return bytes.subarray(derPrefix.length);
}

/** `signature` (64 bytes) is the signature of the text's UTF-8 bytes. */
export function formatNote(text: string, signer: NoteSigner, signature: Uint8Array): string {
  if (!isText(text))
    throw new Error('the text of a note must end in a newline and have no control characters');
  return `${text}\n${signatureLine(signer, signature)}`;
}

function signatureLine(signer: NoteSigner, signature: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(keyIdOf(signer), 'hex'), signature]);
  return `— ${signer.name} ${bytes.toString('base64')}\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a note may not have.
const isText = (text: string) => text.endsWith('\n') && !/[\x00-\x09\x0b-\x1f]/.test(text);

/** Parses a signed note, without checking its signatures. Returns undefined if the note is malformed. */
export function parseNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split('\n');
  // The last line must end in a newline too, so the last element after the split must be empty.
  if (end < 0 || lines.pop() !== '' || !isText(text)) return undefined;
  if (lines.length < 1 || lines.length > maxSignatures) return undefined;
  const signatures = lines.map(parseSignature);
  return signatures.every((signature) => signature !== undefined) ? { text, signatures } : undefined;
}

function parseSignature(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (!nameForm.test(name) || bytes.length < 5 || bytes.toString('base64') !== encoded) return undefined;
  return { name, keyId: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

/** Returns whether a note has a signature with this name and key id, and all such signatures are valid. */
export function isSignedBy({ text, signatures }: SignedNote, signer: NoteSigner): boolean {
  const id = keyIdOf(signer);
  const claimed = signatures.filter(({ name, keyId }) => name === signer.name && keyId === id);
  return claimed.length > 0 && claimed.every(({ signature }) => isValidSignature(text, signature, signer));
}

/** Returns whether `signature` (64 bytes) is this signer's signature of a text. */
export function isValidSignature(text: string, signature: Uint8Array, { publicKey }: NoteSigner): boolean {
  const key = createPublicKey({ key: Buffer.concat([derPrefix, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), key, signature);
}
