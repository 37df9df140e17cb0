import { afterEach, describe, expect, test, vi } from 'vitest';
import { doneReasonOf, hostChannelOf, sendStateToHost } from '../../functions/play/page/client/host.ts';
import type { ClientData } from '../../functions/play/page/page-data.ts';

afterEach(() => vi.unstubAllGlobals());

type Sent = [message: { type: string }, origin?: string][];

/**
 * Returns the messages that a play page sends to the window that frames it, with their target origins. `framer` is the
 * origin of this window, or undefined if the browser hides the origin.
 */
function sentBy(framers: string[], { isFramed = true, framer }: { isFramed?: boolean; framer?: string }) {
  const sent: Sent = [];
  const own = { postMessage: (...message: Sent[number]) => sent.push(message) };
  vi.stubGlobal('window', own);
  vi.stubGlobal('parent', isFramed ? { ...own } : own);
  vi.stubGlobal('location', framer === undefined ? {} : { ancestorOrigins: [framer] });
  const host = hostChannelOf({ framers } as unknown as ClientData);
  host.send('started', {});
  return { sent, isListening: host.isListening };
}

describe('the framing window receives messages', () => {
  const framers = ['https://a.example', 'https://b.example'];
  test.each([
    ['at its own origin', { framer: 'https://b.example' }, ['https://b.example']],
    ['at every allowed origin if the browser does not reveal the framing origin', {}, framers],
    ['at every allowed origin if the frame is sandboxed', { framer: 'null' }, framers],
    ['not at all if its origin is not allowed', { framer: 'https://evil.example' }, []],
    ['not at all if the page is not framed', { isFramed: false }, []],
  ])('%s', (_, window, origins) => {
    const { sent, isListening } = sentBy(framers, window);
    expect(sent.map(([, origin]) => origin)).toEqual(origins);
    expect(isListening).toBe(origins.length > 0);
  });

  test('not at all if no origin is allowed', () => {
    expect(sentBy([], {})).toEqual({ sent: [], isListening: false });
  });
});

test('a host that throws an error does not keep other hosts from receiving messages', () => {
  const received: string[] = [];
  const failing = {
    postMessage() {
      throw new Error('gone');
    },
  };
  const incentives = { postMessage: ({ type }: { type: string }) => received.push(type) };
  const window = { ReactNativeWebView: failing, webkit: { messageHandlers: { incentives } } };
  vi.stubGlobal('window', window);
  vi.stubGlobal('parent', window);
  hostChannelOf({ framers: [] as string[] } as ClientData).send('started', {});
  expect(received).toEqual(['started']);
});

describe('the host learns the state of the page', () => {
  const data = { game: 'truck', lang: 'en', framers: [] as string[] };
  const ready = (playable: boolean, restrictions: string[] = []) => [
    'ready',
    { game: 'truck', lang: 'en', playable, restrictions },
  ];
  const outcome = { id: 'out_1' };
  test.each<[string, object, unknown[], origin?: string]>([
    ['that can be played', { state: 'ready' }, [ready(true)]],
    ['with tickets only', { state: 'ready', tickets_only: true }, [ready(true, ['tickets_only'])]],
    [
      'that cannot reach the service',
      { state: 'ready' },
      [ready(false), ['refused', { code: 'forbidden' }]],
      'null',
    ],
    [
      'that refuses to play',
      { state: 'refused', restriction: { code: 'game_paused', until: 'x' } },
      [ready(false, ['game_paused']), ['refused', { code: 'game_paused' }]],
    ],
    ['with a result', { state: 'played', outcome }, [ready(false), ['result', { outcome }]]],
    ['that has expired', { state: 'expired' }, [ready(false), ['refused', { code: 'play_expired' }]]],
    ['that is void', { state: 'voided' }, [ready(false), ['refused', { code: 'play_voided' }]]],
    ['that is unknown', { state: 'unknown' }, [ready(false), ['refused', { code: 'play_not_found' }]]],
  ])('%s', (_, part, expected, origin = 'https://play.example') => {
    vi.stubGlobal('origin', origin);
    const sent: unknown[] = [];
    const host = { isListening: true, send: (...message: unknown[]) => void sent.push(message) };
    sendStateToHost(host, { ...data, ...part } as unknown as ClientData);
    expect(sent).toEqual(expected);
  });

  test.each([
    ['played', 'won'],
    ['refused', 'refused'],
    ['voided', 'refused'],
    ['expired', 'expired'],
    ['unknown', 'not_found'],
  ])('%s when the player leaves, as %s', (state, reason) => {
    expect(doneReasonOf({ getAttribute: () => state } as unknown as Element)).toBe(reason);
  });
});
