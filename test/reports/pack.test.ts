import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptsGzip, compress, compressReport } from '../../shared/api/pack.ts';

const row = (i: number) => ({
  transaction_id: `txn_01JH5XG${String(i).padStart(19, '0')}`,
  idempotency_key: crypto.randomUUID(),
  amount: i % 50,
  description: `Bonus for the purchase of ${i} minutes`,
  date_created: new Date(1.7e12 + i * 977).toISOString(),
  user_id: `usr_01JH5XG${crypto.randomUUID().slice(0, 19)}`,
  result_effective_date: '2025-01-01T05:00:00.000Z',
});
const rows = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => row(i)));

describe('packing a response', () => {
  test('keeps ten thousand typical rows far below Lambda’s limit', () => {
    const body = rows(10_000);
    const packed = compressReport(body, 'gzip');
    expect(packed.body.length).toBeLessThan(2_000_000);
    expect(gunzipSync(Buffer.from(packed.body, 'base64')).toString()).toBe(body);
  });

  test('counts an uncompressed body as JSON within JSON', () => {
    // As a JSON string with escaped quotes, the body of 5.5 MB exceeds Lambda's limit of 6 MB.
    const body = JSON.stringify(Array.from({ length: 1_375_000 }, () => 'a'));
    expect(body.length).toBeLessThan(6_000_000);
    expect(() => compressReport(body, undefined)).toThrow('page_size: Response would be larger than 6 MB');
  });

  test('leaves a small body uncompressed', () => {
    expect(compress('{}', 'gzip')).toEqual({ body: '{}', headers: { vary: 'accept-encoding' } });
  });
});

test.each([
  ['gzip', true],
  ['GZIP;q=0.5, br', true],
  ['deflate, gzip;q=1.0', true],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip; q=0', false],
  ['br', false],
  ['x-gzipped', false],
  ['x-gzip', true],
  ['identity;q=0, gzip', true],
  ['identity;q=0', false],
  ['identity;q=0, *', true],
  ['identity, *;q=0', false],
  ['identity, gzip;q=0.9', false],
  ['identity;q=0.9, gzip', true],
  ['gzip;q=0.001', true],
  ['gzip;q=0.000', false],
  ['gzip;Q=0', false],
  ['gzip;level=9;q=0', false],
  ['gzip; level=9', true],
  ['gzip;q=', false],
  ['gzip;q=most', false],
  ['gzip\t;\tq=0', false],
  ['deflate,,gzip,', true],
  [',', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %j accepts gzip: %j', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts);
});

test('a header with many spaces is parsed in linear time', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(acceptsGzip(`gzip${spaces}x`)).toBe(false);
  expect(acceptsGzip(`gzip;${spaces}q=0${spaces}`)).toBe(false);
});
