import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  isSignedBy,
  keyIdOf,
  noteOf,
  parseNote,
  publicKeyIn,
  signerOf,
  verifierKeyOf,
} from '../../shared/books/note.ts';

/** The example of Go's sumdb/note, which C2SP's signed-note comes from. */
const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
const signer = signerOf(key)!;

describe('a verifier key', () => {
  test('is a name, the id of the key and the key', () => {
    expect(signer.name).toBe('PeterNeumann');
    expect(keyIdOf(signer)).toBe('c74f20a3');
    expect(verifierKeyOf(signer)).toBe(key);
  });

  test.each([
    ['without a part', 'PeterNeumann+c74f20a3'],
    ['with the id of another key', key.replace('c74f', 'c74e')],
    ['of another name', key.replace('Peter', 'Petra')],
    ['of another kind of key', key.replace('+AR', '+BR')],
    ['that is too long', `${key}AAAA`],
    ['with a space in its name', key.replace('PeterN', 'Peter N')],
    ['that is empty', ''],
  ])('%s is none', (_, text) => expect(signerOf(text)).toBeUndefined());
});

describe('a signed note', () => {
  test('is verified as by Go', () => {
    const parsed = parseNote(note)!;
    expect(parsed.text).toBe(text);
    expect(parsed.signatures).toMatchObject([{ name: 'PeterNeumann', keyId: 'c74f20a3' }]);
    expect(isSignedBy(parsed, signer)).toBe(true);
    expect(noteOf(text, signer, parsed.signatures[0]!.signature)).toBe(note);
  });

  test('made with a key of Node is signed by it and by nobody else', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const der = publicKey.export({ format: 'der', type: 'spki' });
    const own = { name: 'incentives', publicKey: publicKeyIn(der) };
    const made = noteOf(text, own, sign(null, Buffer.from(text), privateKey));
    expect(isSignedBy(parseNote(made)!, own)).toBe(true);
    expect(isSignedBy(parseNote(made)!, signer)).toBe(false);
    expect(isSignedBy(parseNote(made)!, { ...own, name: 'incentive' })).toBe(false);
  });

  test('may have signatures of others beside', () => {
    const other = '— witness AAAAAAAA\n';
    expect(isSignedBy(parseNote(note + other)!, signer)).toBe(true);
  });

  test('with a second signature of the same key that does not hold is not signed', () => {
    const second = note.slice(note.indexOf('—')).replace('x08go/Z', 'x08go/a');
    expect(isSignedBy(parseNote(note + second)!, signer)).toBe(false);
  });

  test.each([
    ['whose text is another', note.replace('think', 'thinks')],
    ['whose signature is another', note.replace('x08go/ZJ', 'x08go/ZK')],
    ['by another name', note.replace('— Peter', '— Petra')],
  ])('%s is not signed', (_, changed) => expect(isSignedBy(parseNote(changed)!, signer)).toBe(false));

  test.each([
    ['without a signature', `${text}\n`],
    ['without a blank line', text + note.slice(text.length + 1)],
    ['cut off before its end', note.slice(0, -1)],
    ['with a control character', note.replace('think', 'thi\tnk')],
    ['whose signature is spelled in another way', note.replace('nAM=', 'nAN=')],
    ['with spaces at the end of a line', note.replace('nAM=', 'nAM= ')],
    ['with something below', `${note}something\n`],
    ['with more signatures than anybody needs', note + '— witness AAAAAAAA\n'.repeat(16)],
  ])('%s is none', (_, changed) => expect(parseNote(changed)).toBeUndefined());
});

test('a key of another kind is no public key of Ed25519', () => {
  const { publicKey } = generateKeyPairSync('x25519');
  expect(() => publicKeyIn(publicKey.export({ format: 'der', type: 'spki' }))).toThrow('no public key');
});
