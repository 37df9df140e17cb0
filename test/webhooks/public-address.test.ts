import { lookup } from 'node:dns';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  guardedLookup,
  isCallableUrl,
  isPublicAddress,
  mayCallAddress,
} from '../../shared/webhooks/public-address.ts';

const privateAddresses = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '0:0:0:0:0:ffff:a00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:10::1',
  '2001:20::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2606:4700::5efe:127.0.0.1',
  '2606:4700::200:5efe:a00:1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];
const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '52.94.236.248',
  '172.15.0.1',
  '172.32.0.1',
  '2606:4700::1111',
];

describe('addresses', () => {
  test.each(privateAddresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(mayCallAddress(address, 'production')).toBe(false);
  });
  test.each(publicAddresses)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  test('only the local stage may call loopback, and no stage may call other private addresses', () => {
    const callable = privateAddresses.filter((address) => mayCallAddress(address, 'local'));
    expect(callable).toEqual(['127.0.0.1', '127.255.255.254', '::1']);
    expect(privateAddresses.filter((address) => mayCallAddress(address, 'staging'))).toEqual([]);
  });
});

/** Returns the spellings of an IPv4 address that URL parsers accept, such as hexadecimal and octal ones. */
const spellings = (a: number, b: number, c: number, d: number): string[] => {
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (n: number) => n.toString(16);
  const octal = (n: number) => `0${n.toString(8)}`;
  const dotted = [a, b, c, d].join('.');
  return [
    dotted,
    `${dotted}.`,
    String(number),
    `0x${hex(number)}`,
    octal(number),
    [a, b, c, d].map((n) => `0x${hex(n)}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    dotted.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    dotted.replaceAll('.', '。'),
    dotted.replace(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${dotted}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[2002:${hex((a << 8) | b)}:${hex((c << 8) | d)}::]`,
  ];
};

describe('URLs', () => {
  test('a private address is refused in every spelling', () => {
    const anyInside = fc.constantFrom([10, 0, 0, 1], [127, 0, 0, 1], [169, 254, 169, 254], [192, 168, 0, 9]);
    fc.assert(
      fc.property(anyInside, ([a, b, c, d]) => {
        for (const host of spellings(a!, b!, c!, d!)) {
          expect([host, isCallableUrl(`https://${host}/`, 'production')]).toEqual([host, false]);
          expect([host, isCallableUrl(`https://${host}:8443/x`, 'staging')]).toEqual([host, false]);
        }
      }),
    );
  });

  test.each([
    'http://example.com/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://[fe80::1%25eth0]/',
    'https://[::1]/',
    'https://../',
    'https://',
    '//example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'wss://example.com',
    'https://exa mple.com',
    '',
    ' https://example.com',
  ])('%s is refused', (url) => expect(isCallableUrl(url, 'production')).toBe(false));

  test.each([
    'https://example.com',
    'https://example.com:8443/a?b=c#d',
    'https://8.8.8.8/',
    'https://bücher.example/',
  ])('%s is accepted', (url) => expect(isCallableUrl(url, 'production')).toBe(true));

  test('the local stage accepts http and loopback, but no other private addresses', () => {
    for (const url of [
      'http://localhost:3001/',
      'http://127.0.0.1:1/x',
      'http://[::1]:1/',
      'http://example.com',
    ]) {
      expect([url, isCallableUrl(url, 'local')]).toEqual([url, true]);
    }
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://[fd00:ec2::254]/',
      'http://0.0.0.0/',
    ]) {
      expect([url, isCallableUrl(url, 'local')]).toEqual([url, false]);
    }
  });
});

describe('host names', () => {
  const look = (name: string, addresses: string[], stage = 'production') =>
    new Promise<unknown>((resolve) => {
      const resolved = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      guardedLookup(stage, async () => resolved)(name, { all: true }, (error, found) =>
        resolve(error ?? found),
      );
    });

  test('resolve to the addresses that were checked', async () => {
    expect(await look('ok.example', ['8.8.8.8', '2606:4700::1111'])).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });
  test.each([[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['8.8.8.8', '::ffff:10.0.0.1']], [[]]])(
    'that resolve to %j are not called',
    async (addresses) => {
      expect(await look('bad.example', addresses)).toMatchObject({ name: 'NotPublic' });
    },
  );
  test('that resolve to loopback are called only on the local stage', async () => {
    const addresses = await new Promise<string[]>((resolve) =>
      lookup('localhost', { all: true }, (_, all) => resolve(all.map(({ address }) => address))),
    );
    expect(await look('localhost', addresses)).toMatchObject({ name: 'NotPublic' });
    expect(await look('localhost', addresses, 'local')).toHaveLength(addresses.length);
  });
});
