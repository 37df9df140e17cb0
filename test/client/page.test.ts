import { expect, expectTypeOf, test } from 'vitest';
import type { HostMessages } from '../../functions/play/page/client/host.ts';
import { type PageMessage, pageMessageOf } from '../../shared/client/page.ts';

const url = 'https://api.example.com/production/play/token';
const origin = 'https://api.example.com';
const source = {};
const frame = { src: url, contentWindow: source };
const data = { source: 'incentives', version: 1, type: 'done', data: { reason: 'won' } };

test('a message of the page is returned unchanged', () => {
  expect(pageMessageOf({ origin, source, data }, frame)).toEqual(data);
});

test.each<[string, { origin: string; source?: unknown; data: unknown }]>([
  ['another origin', { origin: 'https://api.example.com.evil.example', data }],
  ['another frame', { origin, source: {}, data }],
  ['another page of the same origin', { origin, data: { type: 'done' } }],
  ['another script of the page', { origin, data: { ...data, source: 'analytics' } }],
  ['nothing', { origin, data: null }],
  ['a text', { origin, data: JSON.stringify(data) }],
  ['a later version', { origin, data: { ...data, version: 2 } }],
  ['a type that is not known here', { origin, data: { ...data, type: 'paused' } }],
])('a message of %s is ignored', (_, event) => {
  expect(pageMessageOf({ source, ...event }, frame)).toBeUndefined();
});

test('a message without a window is ignored, although a removed frame has none', () => {
  expect(pageMessageOf({ origin, source: null, data }, { src: url, contentWindow: null })).toBeUndefined();
});

type Of<T extends PageMessage['type']> = Extract<PageMessage, { type: T }>['data'];

test('the host’s types match the page’s messages', () => {
  expectTypeOf<keyof HostMessages>().toEqualTypeOf<PageMessage['type']>();
  expectTypeOf<HostMessages['ready']>().toEqualTypeOf<Of<'ready'>>();
  expectTypeOf<HostMessages['started']>().toEqualTypeOf<Of<'started'>>();
  expectTypeOf<HostMessages['result']['outcome']['id']>().toEqualTypeOf<Of<'result'>['outcome']['id']>();
  expectTypeOf<HostMessages['done']>().toEqualTypeOf<Of<'done'>>();
  expectTypeOf<HostMessages['resize']>().toEqualTypeOf<Of<'resize'>>();
});
