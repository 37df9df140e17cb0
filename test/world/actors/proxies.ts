/** Proxies between hosts and the API. Bad proxies refuse, delay, repeat, cut or lose requests or responses. */

import type { Random } from '../../support/random.ts';
import type { HttpResponse } from '../journal.ts';
import type { Api } from './api.ts';

/** Forwards a request to the API. Resolves with undefined if the response was lost. */
export type Carry = () => Promise<HttpResponse | undefined>;
type ProxyFault = (carry: Carry, api: Api, random: Random) => Promise<HttpResponse | undefined>;

const page = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: '<html><body>A message of the proxy</body></html>',
});

const proxyFaults = {
  'refuses a request': async (_, __, random) => page(random.pick([403, 404, 407])),
  'asks to wait': async (_, __, random) => page(429, { 'retry-after': random.pick(['0', '2', 'soon']) }),
  'is down': async (_, __, random) => page(random.pick([502, 503])),
  'shows its own page': async () => page(200),
  'gives up on a request that it has sent on': async (carry) => {
    await carry();
    return page(504);
  },
  'cuts an answer off': async (carry) => {
    const response = await carry();
    return response && { ...response, body: response.body.slice(0, response.body.length / 2) };
  },
  'repeats a request': async (carry) => {
    const [first, second] = await Promise.all([carry(), carry()]);
    return first ?? second;
  },
  'delays a request': async (carry, api, random) => {
    await api.wait(random.around(30_000));
    return carry();
  },
  'loses an answer': async (carry) => {
    await carry();
    return undefined;
  },
} satisfies Record<string, ProxyFault>;

/** Forwards a request to the API, with probability `badChance` through a bad proxy. */
export function carryByProxy(
  carry: Carry,
  api: Api,
  random: Random,
  badChance: number,
): Promise<HttpResponse | undefined> {
  if (!random.chance(badChance)) return carry();
  return proxyFaults[random.pick(Object.keys(proxyFaults) as (keyof typeof proxyFaults)[])](
    carry,
    api,
    random,
  );
}
