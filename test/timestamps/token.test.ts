import { describe, expect, test } from 'vitest';
import { localAuthority, rootOf } from '../../infra/develop/local/authority.ts';
import { fingerprintOf } from '../../shared/timestamps/chain.ts';
import { BadTimestamp, certificateOf, checkToken } from '../../shared/timestamps/token.ts';
import { authorityOf, sha256, tokenFor } from '../support/authority.ts';
import { byOpenssl, bySigstore } from './tokens.ts';

const at = Date.parse('2026-03-09T06:00:00.123Z');
const root = localAuthority.root.certificate.raw;
const token = tokenFor('a text', at, localAuthority, { withRoot: false });

test.each([
  ['OpenSSL', byOpenssl, 'hello\n', '2026-11-25T20:44:29.000Z'],
  ['Sigstore', bySigstore, 'hello', '2025-05-09T11:58:55.000Z'],
])('a token by %s is accepted', (_, { token, root }, text, time) => {
  const bytes = (base64: string) => Buffer.from(base64, 'base64');
  const { at, chain } = checkToken(bytes(token), sha256(text), [bytes(root)]);
  expect(new Date(at).toISOString()).toBe(time);
  expect(chain.map(({ raw }) => raw.toString('base64'))).toContain(root);
  expect(() => checkToken(bytes(token), sha256(`${text}.`), [bytes(root)])).toThrow('another text');
});

test('the local authority’s token states its time and leads to its root', () => {
  const checked = checkToken(token, sha256('a text'), [root]);
  expect(checked.at).toBe(at);
  expect(certificateOf(checked, rootOf(localAuthority))).toBeDefined();
  expect(certificateOf(checkToken(token, sha256('a text')), rootOf(localAuthority))).toBeUndefined();
});

test('a changed token is refused, or says the same', () => {
  for (let i = 0; i < token.length; i += 5) {
    const changed = Uint8Array.from(token);
    changed[i]! ^= 1 << (i % 8);
    const read = () => checkToken(changed, sha256('a text'), [root]);
    try {
      const { at: time, chain } = read();
      expect([time, fingerprintOf(chain[0]!)]).toEqual([
        at,
        fingerprintOf(localAuthority.signer.certificate),
      ]);
    } catch (error) {
      if (!(error instanceof BadTimestamp)) throw error;
    }
  }
});

test.each([0, 1, 10, 400, token.length - 1])('the first %i bytes of a token are refused', (length) => {
  expect(() => checkToken(token.subarray(0, length), sha256('a text'))).toThrow(BadTimestamp);
});

describe('a token is refused or not trusted if its signer’s certificate', () => {
  const check = (authority: ReturnType<typeof authorityOf>, others = [authority.root.certificate.raw]) =>
    checkToken(tokenFor('a text', at, authority), sha256('a text'), others);
  const isTrusted = (authority: ReturnType<typeof authorityOf>) =>
    certificateOf(check(authority), rootOf(authority)) !== undefined;

  test('is not for timestamps', () => {
    expect(isTrusted(authorityOf('one'))).toBe(true);
    expect(() => check(authorityOf('one', { for: 'servers' }))).toThrow(
      'not signed by an authority for timestamps',
    );
  });

  test('was not valid at the time', () => {
    expect(isTrusted(authorityOf('one', { until: '2026-03-09T06:00:01Z' }))).toBe(true);
    expect(() => check(authorityOf('one', { until: '2026-03-09T05:59:59Z' }))).toThrow('not valid');
    expect(() => check(authorityOf('one', { from: '2026-03-09T06:00:01Z' }))).toThrow('not valid');
  });

  test('is by another authority of the same name', () => {
    const forged = { root: localAuthority.root, signer: authorityOf('forger').signer };
    expect(certificateOf(check(forged), rootOf(localAuthority))).toBeUndefined();
  });

  test('is by a certificate that may sign no certificates', () => {
    const shop = authorityOf('shop', { for: 'servers' }).signer;
    const forged = { root: shop, signer: authorityOf('forger', { by: shop }).signer };
    expect(certificateOf(check(forged), fingerprintOf(shop.certificate))).toBeUndefined();
  });
});
