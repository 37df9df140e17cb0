import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostOf } from '../../functions/play/page/client/host.ts';
import type { PageData } from '../../functions/play/page/page-data.ts';

afterEach(() => vi.unstubAllGlobals());

type Sent = [message: { type: string }, origin?: string][];

/** What a page sends and where, in a window as a browser has it; the framing one is its own parent if there is none. */
function sentBy(framers: string[], { isFramed = true, framer }: { isFramed?: boolean; framer?: string }) {
  const sent: Sent = [];
  const own = { postMessage: (...message: Sent[number]) => sent.push(message) };
  vi.stubGlobal('window', own);
  vi.stubGlobal('parent', isFramed ? { ...own } : own);
  vi.stubGlobal('location', framer === undefined ? {} : { ancestorOrigins: [framer] });
  const host = hostOf({ framers } as unknown as PageData);
  host.tell('started', {});
  return { sent, isListening: host.isListening };
}

describe('the framing window is told', () => {
  const framers = ['https://a.example', 'https://b.example'];
  test.each([
    ['at its own origin', { framer: 'https://b.example' }, ['https://b.example']],
    ['at each allowed origin if the browser does not say which it is', {}, framers],
    ['the same if the frame hides it', { framer: 'null' }, framers],
    ['nothing if it is none of those', { framer: 'https://evil.example' }, []],
    ['nothing if there is none', { isFramed: false }, []],
  ])('%s', (_, window, origins) => {
    const { sent, isListening } = sentBy(framers, window);
    expect(sent.map(([, origin]) => origin)).toEqual(origins);
    expect(isListening).toBe(origins.length > 0);
  });

  test('nothing if no origin is allowed', () => {
    expect(sentBy([], {})).toEqual({ sent: [], isListening: false });
  });
});

test('a host that fails to listen keeps nobody else from being told', () => {
  const told: string[] = [];
  const failing = {
    postMessage() {
      throw new Error('gone');
    },
  };
  const incentives = { postMessage: ({ type }: { type: string }) => told.push(type) };
  const window = { ReactNativeWebView: failing, webkit: { messageHandlers: { incentives } } };
  vi.stubGlobal('window', window);
  vi.stubGlobal('parent', window);
  hostOf({ framers: [] as string[] } as PageData).tell('started', {});
  expect(told).toEqual(['started']);
});
