import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  formatNote,
  isSignedBy,
  keyIdOf,
  parseNote,
  parseVerifierKey,
  rawPublicKey,
  verifierKeyOf,
} from '../../shared/note.ts';

/** The example from Go's package sumdb/note. The format C2SP signed-note is based on this package. */
const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
const signer = parseVerifierKey(key)!;

describe('a verifier key', () => {
  test('consists of a name, a key id and the key', () => {
    expect(signer.name).toBe('PeterNeumann');
    expect(keyIdOf(signer)).toBe('c74f20a3');
    expect(verifierKeyOf(signer)).toBe(key);
  });

  test.each([
    ['with a missing part', 'PeterNeumann+c74f20a3'],
    ['with another key’s id', key.replace('c74f', 'c74e')],
    ['with another name', key.replace('Peter', 'Petra')],
    ['with another kind of key', key.replace('+AR', '+BR')],
    ['that is too long', `${key}AAAA`],
    ['with a space in its name', key.replace('PeterN', 'Peter N')],
    ['that is empty', ''],
  ])('a key %s is rejected', (_, text) => expect(parseVerifierKey(text)).toBeUndefined());
});

describe('a signed note', () => {
  test('is verified like in Go', () => {
    const parsed = parseNote(note)!;
    expect(parsed.text).toBe(text);
    expect(parsed.signatures).toMatchObject([{ name: 'PeterNeumann', keyId: 'c74f20a3' }]);
    expect(isSignedBy(parsed, signer)).toBe(true);
    expect(formatNote(text, signer, parsed.signatures[0]!.signature)).toBe(note);
  });

  test('made with a Node key is signed by this key only', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const der = publicKey.export({ format: 'der', type: 'spki' });
    const own = { name: 'incentives', publicKey: rawPublicKey(der) };
    const made = formatNote(text, own, sign(null, Buffer.from(text), privateKey));
    expect(isSignedBy(parseNote(made)!, own)).toBe(true);
    expect(isSignedBy(parseNote(made)!, signer)).toBe(false);
    expect(isSignedBy(parseNote(made)!, { ...own, name: 'incentive' })).toBe(false);
  });

  test.each([0, 2, 255])('is not signed by a key of which each byte is %i', (byte) => {
    const odd = { name: signer.name, publicKey: Buffer.alloc(32, byte) };
    for (const length of [1, 64])
      expect(isSignedBy(parseNote(formatNote(text, odd, Buffer.alloc(length, 1)))!, odd)).toBe(false);
  });

  test('may have signatures by others', () => {
    const other = '— witness AAAAAAAA\n';
    expect(isSignedBy(parseNote(note + other)!, signer)).toBe(true);
  });

  test('with an invalid second signature of the same key is not signed', () => {
    const second = note.slice(note.indexOf('—')).replace('x08go/Z', 'x08go/a');
    expect(isSignedBy(parseNote(note + second)!, signer)).toBe(false);
  });

  test.each([
    ['with a changed text', note.replace('think', 'thinks')],
    ['with a changed signature', note.replace('x08go/ZJ', 'x08go/ZK')],
    ['with a changed signer’s name', note.replace('— Peter', '— Petra')],
  ])('a note %s is not signed', (_, changed) => expect(isSignedBy(parseNote(changed)!, signer)).toBe(false));

  test.each([
    ['without a signature', `${text}\n`],
    ['without a blank line', text + note.slice(text.length + 1)],
    ['that is cut off', note.slice(0, -1)],
    ['with a plus sign in a signer’s name', note.replace('— Peter', '— Peter+')],
    ['with a control character', note.replace('think', 'thi\tnk')],
    ['with another spelling of the signature', note.replace('nAM=', 'nAN=')],
    ['with trailing spaces', note.replace('nAM=', 'nAM= ')],
    ['with a line after the signatures', `${note}something\n`],
    ['with too many signatures', note + '— witness AAAAAAAA\n'.repeat(16)],
  ])('a note %s is rejected', (_, changed) => expect(parseNote(changed)).toBeUndefined());
});

describe('a public key in DER form', () => {
  const derOf = (type: 'ed25519' | 'x25519') => {
    const { publicKey } = generateKeyPairSync(type as 'ed25519');
    return publicKey.export({ format: 'der', type: 'spki' });
  };
  const der = derOf('ed25519');

  test('ends with the 32 raw bytes', () => expect(rawPublicKey(der)).toEqual(der.subarray(-32)));

  test.each([
    ['of another algorithm', derOf('x25519')],
    ['with a byte more', Buffer.concat([der, Buffer.of(0)])],
    ['with a byte less', der.subarray(0, -1)],
    ['without its raw bytes', der.subarray(0, -32)],
    ['without its prefix', der.subarray(-32)],
    ['that is empty', Buffer.of()],
  ])('%s is rejected', (_, bytes) => expect(() => rawPublicKey(bytes)).toThrow('not an Ed25519 public key'));
});
