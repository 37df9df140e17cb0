import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { lineOf, type ReceivedCall } from '../../../../infra/develop/local/hooks-line.ts';

const receivedCall = (payload: unknown, more: Partial<ReceivedCall> = {}): ReceivedCall => ({
  at: new Date(2026, 0, 5, 9, 8, 7),
  id: 'evt_1',
  signatureError: undefined,
  isRepeat: false,
  status: 200,
  payload,
  ...more,
});
const shown = (call: ReceivedCall) => stripVTControlCharacters(lineOf(call));
const user = { external_reference: 'host-7' };

describe('a call in one line', () => {
  test.each([
    [
      { type: 'balance_updated', data: { ...user, amount: -5, balance_type: 'tickets', new_balance: 7 } },
      'balance_updated  −5 tickets → 7  host-7',
    ],
    [
      { type: 'outcome', data: { ...user, game: 'truck', play_type: 'amoe', prize: { prize_gift_card: 1 } } },
      'outcome          truck amoe: gift card 1  host-7',
    ],
    [{ type: 'cash_won', data: { ...user, cash_usd: 25 } }, 'cash_won         $25  host-7'],
    [{ type: 'prize_won', data: { ...user, prize: { tickets: 3 } } }, 'prize_won        tickets 3  host-7'],
    [{ any: 'thing' }, 'invoke           {"any":"thing"}'],
    ['no JSON', 'invoke           "no JSON"'],
  ])('summarizes %j', (payload, text) => {
    expect(shown(receivedCall(payload))).toBe(`09:08:07  ✓ signed  ${text}  evt_1`);
  });

  test('shows an invalid signature, the response status, and a repeat', () => {
    const call = receivedCall(
      { a: 1 },
      { signatureError: 'No matching signature found', status: 401, isRepeat: true },
    );
    expect(shown(call)).toBe(
      '09:08:07  ✗ NOT SIGNED  invoke           {"a":1}  responded 401  repeat  evt_1  No matching signature found',
    );
  });

  test('stays one line, without control characters for the terminal', () => {
    const data = {
      ...user,
      amount: 1,
      balance_type: 'tickets',
      new_balance: 1,
      description: 'a\u001b[2Jb\nc\u009b1m\u202e',
    };
    const line = lineOf(receivedCall({ type: 'balance_updated', data }, { id: 'evt_\u001b]0;x\u0007' }));
    expect(stripVTControlCharacters(line)).toBe(
      '09:08:07  ✓ signed  balance_updated  +1 tickets → 1  host-7  a\\u001b[2Jb\\u000ac\\u009b1m\\u202e  evt_\\u001b]0;x\\u0007',
    );
  });
});
