import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostOf } from '../../functions/play/page/client/host.ts';
import type { PageData } from '../../functions/play/page/page-data.ts';

afterEach(() => vi.unstubAllGlobals());

type Sent = [message: { type: string }, origin?: string][];

/**
 * Returns the messages that a play page sends to its framing window, each with its target origin. `framer` is the
 * window's origin, if the browser reveals it.
 */
function sentBy(framers: string[], { isFramed = true, framer }: { isFramed?: boolean; framer?: string }) {
  const sent: Sent = [];
  const own = { postMessage: (...message: Sent[number]) => sent.push(message) };
  vi.stubGlobal('window', own);
  vi.stubGlobal('parent', isFramed ? { ...own } : own);
  vi.stubGlobal('location', framer === undefined ? {} : { ancestorOrigins: [framer] });
  const host = hostOf({ framers } as unknown as PageData);
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
  hostOf({ framers: [] as string[] } as PageData).send('started', {});
  expect(received).toEqual(['started']);
});
