/** The stored form of items. Tables of earlier releases contain it, so any change needs a migration. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { toLambdaRecord } from '../../infra/develop/local/aws/stream-record.ts';
import { milestoneEvery } from '../../shared/accounts/records.ts';
import { tileSize } from '../../shared/books/tiles.ts';
import { sha256 } from '../../shared/ids.ts';
import { packNumbers } from '../../shared/reports/blocks.ts';
import { shardOf } from '../../shared/shards.ts';
import { itemIn, packed, unpacked } from '../../shared/table/codec.ts';
import { fields } from '../../shared/table/names.ts';
import { sampleEvents } from '../../shared/table/sample-events.ts';
import { packBytes, packText, unpackBinary } from '../../shared/table/values.ts';

const ulid = '01M86XS3JPBXY6P6FT5JH1TPX6';
const ulidBytes = '01a20ddc8e565f7c6b19fa2ca21d5ba6';
const digest = `${'A'.repeat(42)}E`;
const digestBytes = `${'00'.repeat(31)}01`;
const hexOf = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('hex');
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const base64Of = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

test('stored names keep their meaning', () => {
  const pairs = `
    s:sequence n:number e:event_sequence h:hash t:texts r:result_effective_date i:idempotency_key k:kind
    a:amount b:balance_after d:description o:outcome_id N:number_of_type O:operation_id
    y:play_type g:game p:prize j:prize_id z:game_status c:cost v:prize_table_version D:secret_day T:token_hash
    I:order_id X:expires_at f:client_seed x:spin_index G:debug
    L:budgets C:cash K:stock w:wins E:grants A:granted M:limit Y:out Z:number_of_day F:granted_on_day U:usd
    m:num_of_spins q:run u:due_day l:last_hash o0:remaining
    w0:organization_id w1:user_id w2:date_created w3:timestamp w4:id w5:transaction_id w6:entry_type
    i0:parameters i1:reply i2:nonce i3:balance i4:total_queued_spins i5:ulid
    p0:lang p1:commitment p3:played p4:voided p5:server_seed
    c0:webhook_id c1:event_id c2:event_type c3:payload c4:attempt c5:response_status c6:duration_ms c7:url c8:error
    t0:ms_since_last
    u0:external_reference u1:balances u2:queued_spins u3:plays u4:day u5:count u6:version u7:counts u8:last_ulid
    u9:text_key b0:tickets b1:truck b2:flight k0:entries k1:entries#truck k2:entries#flight k3:outcomes k4:orders
    z0:cash_usd z1:entry_truck z2:entry_flight z3:prize_money_transfer z4:prize_cash_back z5:prize_streaming
    z6:prize_imt z7:prize_gift_card z8:prize_phone_accessory z9:prize_merchandise`;
  expect(fields).toEqual(Object.fromEntries(pairs.match(/\S+/g)!.map((pair) => pair.split(':'))));
});

describe('the stored form', () => {
  test.each([
    [ulid, `02${ulidBytes}`],
    [`org_${ulid}`, `10${ulidBytes}`],
    [`usr_${ulid}`, `11${ulidBytes}`],
    [`txn_${ulid}`, `12${ulidBytes}`],
    [`out_${ulid}`, `13${ulidBytes}`],
    [`wh_${ulid}`, `14${ulidBytes}`],
    [`evt_${ulid}`, `15${ulidBytes}`],
    [`inv_${ulid}`, `16${ulidBytes}`],
    [`ord_${ulid}`, `17${ulidBytes}`],
    [`op_${ulid}`, `18${ulidBytes}`],
    ['3f2a7c1e-9b54-4d02-8e6f-0a1b2c3d4e5f', '033f2a7c1e9b544d028e6f0a1b2c3d4e5f'],
    ['0f'.repeat(16), `04${'0f'.repeat(16)}`],
    [digest, `05${digestBytes}`],
    [`truck-${digest}`, `06${digestBytes}${Buffer.from('truck').toString('hex')}`],
    ['2026-11-24T15:00:00.123Z', '0701a20e1225fb'],
    ['2026-11-24', '08512d'],
  ])('of the text %s is %s', (text, stored) => {
    expect(hexOf(packText(text))).toBe(stored);
    expect(unpackBinary(bytesOf(stored))).toBe(text);
  });

  test('of bytes begins with a zero', () => {
    expect(hexOf(packBytes(Uint8Array.of(1, 2)))).toBe('000102');
    expect(unpackBinary(bytesOf('000102'))).toEqual(Uint8Array.of(1, 2));
  });

  test('of a long text is decompressed with the kept dictionary', () => {
    const stored =
      'CUMJIF8Ls4hgY68Ap4hIswAztxBTLw/DkIAIM8IJFB5ghrAIMDQyjkIJPXOsyRaPlehhjEcp1rBPzMtL1DU0J5R2YQkenmxRcy/upIvu' +
      'VdSk6woyhbxECwA=';
    const at = '2026-11-24T15:00:00.123Z';
    const data = {
      ...{ id: `out_${ulid}`, user_id: `usr_${ulid}`, external_reference: 'anna-17', play_type: 'regular' },
      ...{ game: 'truck', prize: { entry_truck: 1 }, timestamp: at, game_status: 'Entry' },
      result_effective_date: '2026-11-24T05:00:00.000Z',
    };
    const event = { id: `evt_${ulid}`, type: 'outcome', timestamp: at, sequence: 7, data };
    expect(unpackBinary(Buffer.from(stored, 'base64'))).toBe(JSON.stringify(event));
    expect(sha256(sampleEvents)).toBe('4UznQiTauYtRu0opKqnqmdNj7_HTxaaJkbz65SOI12Y');
  });

  test('of numbers in the row index has seven bits per byte, lowest first', () =>
    expect(hexOf(packNumbers([0, 1, 127, 128, 300, 2 ** 32]))).toBe('00017f8001ac028080808010'));
});

describe('an item', () => {
  const [o, u] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01KKAA0000ABCDEFGHJKMNPQRS'];
  const organization_id = `org_${o}`;
  const user_id = `usr_${u}`;
  const date_created = '2026-11-24T14:01:27.894Z';
  const ofUser = { organization_id, user_id, date_created };
  const transaction_id = `txn_${ulid}`;
  const id = `out_${ulid}`;

  test.each<[pk: string, sk: string, object]>([
    [`USER#${o}#${u}`, `TICKETS#${ulid}`, { ...ofUser, kind: 'tickets', transaction_id }],
    [
      `USER#${o}#${u}`,
      `ENTRIES#truck#${ulid}`,
      { ...ofUser, kind: 'entries', transaction_id, entry_type: 'truck' },
    ],
    [
      `USER#${o}#${u}`,
      `ENTRIES#flight#${ulid}`,
      { ...ofUser, kind: 'entries', transaction_id, entry_type: 'flight' },
    ],
    [`USER#${o}#${u}`, `OUTCOMES#${ulid}`, { ...ofUser, kind: 'outcomes', id, timestamp: date_created }],
    [`USER#${o}#${u}`, `ORDERS#${ulid}`, { ...ofUser, kind: 'orders', order_id: `ord_${ulid}` }],
    [`USER#${o}#${ulid}`, 'USER', { ...ofUser, user_id: `usr_${ulid}` }],
    [`CALLS#${o}#2026-11-24#3`, ulid, { organization_id, timestamp: date_created }],
    ['PLAY#x', 'PLAY', {}],
  ])('with the key %s, %s omits the fields that follow from the key', (pk, sk, implied) => {
    expect(unpacked({ pk, sk })).toEqual({ pk, sk, ...implied });
    expect(packed({ pk, sk, ...implied })).toEqual({ pk, sk });
  });

  const key = { pk: `USER#${o}#${u}`, sk: `OUTCOMES#${ulid}` };
  const outcome = {
    ...{ ...key, ...ofUser, kind: 'outcomes', id, sequence: 3, prize: { tickets: 5 }, debug: 'jackpot' },
    ...{ token_hash: digest, client_seed: 'seed', result_effective_date: '2026-11-24T15:00:00.123Z' },
    budgets: {
      cash: { grants: 0, granted: 0.5, limit: 500 },
      stock: { grants: 1, out: ['car', '2026-11-24'], number: 1 },
    },
    ...{ unnamed: null, s: 'a field with the stored name of another' },
  };
  const stored = {
    ...{ pk: { S: key.pk }, sk: { S: key.sk } },
    ...{
      s: { N: '3' },
      p: { M: { b0: { N: '5' } } },
      G: { S: 'jackpot' },
      T: { B: base64Of(`05${digestBytes}`) },
    },
    ...{ f: { S: 'seed' }, r: { B: base64Of('0701a20e1225fb') }, w3: { B: base64Of('01') } },
    L: {
      M: {
        C: { M: { E: { N: '0' }, A: { N: '0.5' }, M: { N: '500' } } },
        K: { M: { E: { N: '1' }, Y: { L: [{ S: 'car' }, { B: base64Of('08512d') }] }, n: { N: '1' } } },
      },
    },
    ...{ unnamed: { NULL: true }, '~s': { S: 'a field with the stored name of another' } },
  };

  test('is read from and written in the kept form', () => {
    expect(itemIn(stored)).toEqual(outcome);
    const NewImage = marshall(packed(outcome));
    expect(toLambdaRecord({ dynamodb: { NewImage } }, 'stream').dynamodb!.NewImage).toEqual(stored);
  });
});

test.each([
  [`usr_${ulid}`, 6],
  ['usr_01ARZ3NDEKTSV4RRFFQ69G5FAV', 1],
  [`org_${ulid}`, 12],
])('%s keeps its shard', (id, shard) => expect(shardOf(id)).toBe(shard));

test('a milestone is every 64 records, and a tile has 256 entries', () => {
  expect([milestoneEvery, tileSize]).toEqual([64, 256]);
});
