import { createHash, X509Certificate } from 'node:crypto';
import {
  type Constructed,
  fromBER,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  Set as SetOf,
} from 'asn1js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { localAuthority, rootFingerprint } from '../../infra/develop/local/authority.ts';
import { issueCertificate } from '../../infra/develop/local/certificates.ts';
import { certificateFingerprint } from '../../shared/timestamps/certificate-path.ts';
import { BadTimestamp, certificateOf, checkTimestampToken } from '../../shared/timestamps/token.ts';
import { authorityOf, sha256, tokenFor } from '../support/authority.ts';
import { byOpenssl, bySigstore } from './tokens.ts';

const at = Date.parse('2026-03-09T06:00:00.123Z');
const root = localAuthority.root.certificate.raw;
const token = tokenFor('a text', at, localAuthority, { withRoot: false });
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['OpenSSL', byOpenssl, 'hello\n', '2026-11-25T20:44:29.000Z'],
  ['Sigstore', bySigstore, 'hello', '2025-05-09T11:58:55.000Z'],
])('a token by %s is accepted, also years later', (_, { token, root }, text, time) => {
  const bytes = (base64: string) => Buffer.from(base64, 'base64');
  for (const today of [time, '2036-01-01', '2060-01-01']) {
    vi.setSystemTime(today);
    const { at, path } = checkTimestampToken(bytes(token), sha256(text), [bytes(root)]);
    expect(new Date(at).toISOString()).toBe(time);
    expect(path.map(({ raw }) => raw.toString('base64'))).toContain(root);
  }
  expect(() => checkTimestampToken(bytes(token), sha256(`${text}.`), [bytes(root)])).toThrow('another text');
});

test('the local authority’s token states its time and leads to its root', () => {
  const checked = checkTimestampToken(token, sha256('a text'), [root]);
  expect(checked.at).toBe(at);
  expect(certificateOf(checked, rootFingerprint(localAuthority))).toBeDefined();
  expect(
    certificateOf(checkTimestampToken(token, sha256('a text')), rootFingerprint(localAuthority)),
  ).toBeUndefined();
});

test('a token whose time is accurate to more than ten seconds is refused, because it proves no order of events', () => {
  const by = (accuracy: { seconds?: number; millis?: number; micros?: number }) =>
    checkTimestampToken(tokenFor('a text', at, localAuthority, { accuracy }), sha256('a text'));
  for (const exact of [{ seconds: 10 }, { seconds: 9, millis: 999, micros: 999 }, { micros: 1 }])
    expect(by(exact).at).toBe(at);
  expect(() => by({ seconds: 11 })).toThrow('accurate to 11000 ms only');
  expect(() => by({ seconds: 10, millis: 1 })).toThrow('accurate to 10001 ms only');
  expect(() => by({ seconds: 10, micros: 1 })).toThrow('accurate to 10000.001 ms only');
});

test('a changed token is refused, or says the same', () => {
  for (let i = 0; i < token.length; i += 5) {
    const changed = Uint8Array.from(token);
    changed[i]! ^= 1 << (i % 8);
    const read = () => checkTimestampToken(changed, sha256('a text'), [root]);
    try {
      const { at: time, path } = read();
      expect([time, certificateFingerprint(path[0]!)]).toEqual([
        at,
        certificateFingerprint(localAuthority.signer.certificate),
      ]);
    } catch (error) {
      if (!(error instanceof BadTimestamp)) throw error;
    }
  }
});

/** The parts of a token that forgeries recombine. Changes of the parts change what `bytes` returns. */
function partsOf(der: Uint8Array) {
  const below = ({ valueBlock }: Constructed) => valueBlock.value as Constructed[];
  const outer = fromBER(der).result as Constructed;
  const signed = below(below(below(outer)[1]!)[0]!);
  const signer = below(below(signed.at(-1)!)[0]!);
  return { signed, signer, bytes: () => new Uint8Array(outer.toBER()) };
}

describe('a token is refused in which a genuine signature covers other attributes than those of its content', () => {
  const genuine = () => partsOf(tokenFor('another text', at + 86_400_000));
  /** A token for a new text and time, with the signature of a genuine token. */
  const forged = () => {
    const forgery = partsOf(tokenFor('a text', at));
    forgery.signer[5] = genuine().signer[5]!;
    return forgery;
  };
  const check = ({ bytes }: { bytes: () => Uint8Array }) =>
    checkTimestampToken(bytes(), sha256('a text'), [root]);

  test('because they are the identifier of its signer', () => {
    const forgery = forged();
    const attributes = new Uint8Array(genuine().signer[3]!.toBER());
    const content = attributes.subarray(attributes[1] === 0x81 ? 3 : 2);
    const sid = new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 }, valueHex: content.slice().buffer });
    forgery.signer[1] = sid as unknown as Constructed;
    expect(() => check(forgery)).toThrow(BadTimestamp);
  });

  test('because they are in a second list of signers', () => {
    const forgery = forged();
    forgery.signed.push(genuine().signed.at(-1)!);
    expect(() => check(forgery)).toThrow(BadTimestamp);
  });

  test('unless nothing was exchanged', () => {
    expect(check(partsOf(tokenFor('a text', at))).at).toBe(at);
  });
});

describe('the signed attributes', () => {
  const ids = {
    contentType: '1.2.840.113549.1.9.3',
    messageDigest: '1.2.840.113549.1.9.4',
    signingCertificate: '1.2.840.113549.1.9.16.2.12',
    signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  };
  /** Returns a token whose signed attributes are changed before its authority signs them. */
  const withAttributes = (change: (attributes: Constructed[], parts: Constructed[]) => Constructed[]) => {
    const { signed, signer, bytes } = partsOf(tokenFor('a text', at));
    const { valueBlock } = signer[3]!;
    valueBlock.value = change(valueBlock.value as Constructed[], [signed[2]!, signer[2]!]);
    const covered = new Uint8Array(signer[3]!.toBER());
    covered[0] = 0x31;
    const valueHex = new Uint8Array(localAuthority.signer.sign(covered)).buffer;
    signer[5] = new OctetString({ valueHex }) as unknown as Constructed;
    return bytes();
  };
  const isOf = (id: string) => (attribute: Constructed) =>
    (attribute.valueBlock.value[0] as ObjectIdentifier).getValue() === id;
  const attributeOf = (id: string, value: Constructed) =>
    new Sequence({ value: [new ObjectIdentifier({ value: id }), new SetOf({ value: [value] })] });
  const check = (bytes: Uint8Array) => checkTimestampToken(bytes, sha256('a text'), [root]);

  test.each(['contentType', 'messageDigest', 'signingCertificateV2'] as const)(
    'have a %s, once and with one value',
    (name) => {
      const id = ids[name];
      const without = (all: Constructed[]) => all.filter((one) => !isOf(id)(one));
      const twice = (all: Constructed[]) => [...all, all.find(isOf(id))!];
      const withTwoValues = (all: Constructed[]) => {
        const values = all.find(isOf(id))!.valueBlock.value[1] as Constructed;
        values.valueBlock.value.push(...values.valueBlock.value);
        return all;
      };
      for (const change of [without, twice, withTwoValues])
        expect(() => check(withAttributes(change))).toThrow(BadTimestamp);
      expect(check(withAttributes((all) => all)).at).toBe(at);
    },
  );

  const octetsOf = (hash: string, bytes: Uint8Array) =>
    new OctetString({ valueHex: new Uint8Array(createHash(hash).update(bytes).digest()).buffer });

  test.each([
    ['sha1', ids.signingCertificate, ids.signingCertificateV2],
    ['sha256', ids.signingCertificateV2, ids.signingCertificate],
    ['sha384', ids.signingCertificateV2, ids.signingCertificate],
    ['sha512', ids.signingCertificateV2, ids.signingCertificate],
  ])('may name the signer’s certificate by its %s, in the attribute for it', (hash, id, another) => {
    const named = (id: string, certificate: { raw: Uint8Array }) =>
      withAttributes((all) => {
        const name = new Sequence({ value: [octetsOf(hash, certificate.raw)] });
        const names = new Sequence({ value: [new Sequence({ value: [name] })] });
        return [...all.filter((one) => !isOf(ids.signingCertificateV2)(one)), attributeOf(id, names)];
      });
    const { signer } = localAuthority;
    expect(check(named(id, signer.certificate)).at).toBe(at);
    expect(() => check(named(another, signer.certificate))).toThrow('not signed by an authority');
    expect(() => check(named(id, localAuthority.root.certificate))).toThrow('not signed by an authority');
  });

  test.each([
    ['sha256', '2.16.840.1.101.3.4.2.1'],
    ['sha384', '2.16.840.1.101.3.4.2.2'],
    ['sha512', '2.16.840.1.101.3.4.2.3'],
  ])('may have the %s of the content', (hash, algorithm) => {
    const digestOf = (suffix: string) =>
      withAttributes((all, [content, digestAlgorithm]) => {
        digestAlgorithm!.valueBlock.value[0] = new ObjectIdentifier({ value: algorithm });
        const [, wrapped] = content!.valueBlock.value as Constructed[];
        const [octets] = wrapped!.valueBlock.value as unknown as OctetString[];
        const bytes = Buffer.concat([new Uint8Array(octets!.getValue()), Buffer.from(suffix)]);
        return all.map((one) =>
          isOf(ids.messageDigest)(one) ? attributeOf(ids.messageDigest, octetsOf(hash, bytes)) : one,
        );
      });
    expect(check(digestOf('')).at).toBe(at);
    expect(() => check(digestOf('.'))).toThrow('of another content');
  });
});

test.each([0, 1, 10, 400, token.length - 1])('the first %i bytes of a token are refused', (length) => {
  expect(() => checkTimestampToken(token.subarray(0, length), sha256('a text'))).toThrow(BadTimestamp);
});

describe('a token is refused or not trusted if its signer’s certificate', () => {
  const check = (authority: ReturnType<typeof authorityOf>, others = [authority.root.certificate.raw]) =>
    checkTimestampToken(tokenFor('a text', at, authority), sha256('a text'), others);
  const isTrusted = (authority: ReturnType<typeof authorityOf>) =>
    certificateOf(check(authority), rootFingerprint(authority)) !== undefined;

  test('is not for timestamps', () => {
    expect(isTrusted(authorityOf('one'))).toBe(true);
    expect(() => check(authorityOf('one', { for: 'servers' }))).toThrow(
      'not signed by an authority for timestamps',
    );
  });

  test('has a key of an unknown algorithm', () => {
    const { root, signer } = authorityOf('one');
    const der = Buffer.from(signer.certificate.raw);
    const ellipticCurve = Buffer.from('06072a8648ce3d0201', 'hex');
    der[der.indexOf(ellipticCurve) + 8] = 0x63;
    const unknown = { ...signer, certificate: new X509Certificate(der) };
    expect(() => check({ root, signer: unknown })).toThrow('not signed by an authority for timestamps');
  });

  test('was not valid at the time', () => {
    expect(isTrusted(authorityOf('one', { until: '2026-03-09T06:00:01Z' }))).toBe(true);
    expect(() => check(authorityOf('one', { until: '2026-03-09T05:59:59Z' }))).toThrow('not valid');
    expect(() => check(authorityOf('one', { from: '2026-03-09T06:00:01Z' }))).toThrow('not valid');
  });

  test('is by another authority of the same name', () => {
    const forged = { root: localAuthority.root, signer: authorityOf('forger').signer };
    expect(certificateOf(check(forged), rootFingerprint(localAuthority))).toBeUndefined();
  });

  test('is by an authority for certificates of servers', () => {
    const by = (use: 'authority' | 'authority of servers') => {
      const issuer = issueCertificate({ name: 'Between', for: use, by: localAuthority.root });
      const { signer } = authorityOf('one', { by: issuer });
      const others = [issuer.certificate.raw, root];
      return (
        certificateOf(check({ root: issuer, signer }, others), rootFingerprint(localAuthority)) !== undefined
      );
    };
    expect([by('authority'), by('authority of servers')]).toEqual([true, false]);
  });

  test('is by a certificate that may sign no certificates', () => {
    const shop = authorityOf('shop', { for: 'servers' }).signer;
    const forged = { root: shop, signer: authorityOf('forger', { by: shop }).signer };
    expect(certificateOf(check(forged), certificateFingerprint(shop.certificate))).toBeUndefined();
  });
});
