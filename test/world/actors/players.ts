/** Simulated players open play pages and play. Some only look, come back later or play twice. */
import type { Random } from '../../support/random.ts';
import { dayMs, minuteMs } from './action-times.ts';
import { type Answer, forkRandom } from './client.ts';
import { type Host, keepOutcome, later, sendRequest } from './host.ts';
import { clientSeed } from './random-input.ts';

/** A play URL: its token and its expiry in epoch milliseconds. */
export type Link = { token: string; expiresAt: number };

/** Returns the play URL in an answer, if there is one. */
export function linkIn(answer: Answer | undefined): Link | undefined {
  const [, token] = /\/play\/([^/?#]+)$/.exec(String(answer?.body?.url)) ?? [];
  return token === undefined ? undefined : { token, expiresAt: Date.parse(answer!.body.expiry_time) };
}

type Visit = (host: Host, link: Link, random: Random) => Promise<void>;

/** Simulates one player's use of a play URL. Most players play immediately; some return later. */
export async function visit(host: Host, link: Link, random: Random): Promise<void> {
  const kinds = {
    playing: 12,
    lookingOnly: 1,
    twoTabs: 2,
    doubleClick: 2,
    latecomer: 2,
    atTheEnd: 1,
    blind: 1,
  };
  await visits[random.weighted(kinds)](host, link, random);
  if (!random.chance(0.3)) return;
  const stream = forkRandom(random);
  const pause = stream.around(stream.pick([5 * minuteMs, 40 * minuteMs, 2 * dayMs]));
  later(host, pause, () => returnLater(host, link, stream));
}

const visits = {
  playing: async (host, link, random) => {
    await open(host, link, random);
    await waitLikeReader(host, random);
    await spin(host, link, random);
    if (random.chance(0.5)) await open(host, link, random);
  },
  lookingOnly: async (host, link, random) => {
    await open(host, link, random);
  },
  twoTabs: async (host, link, random) => {
    await Promise.all(
      [forkRandom(random), forkRandom(random)].map(async (tab) => {
        await open(host, link, tab);
        await waitLikeReader(host, tab);
        await spin(host, link, tab);
        await open(host, link, tab);
      }),
    );
  },
  doubleClick: async (host, link, random) => {
    await open(host, link, random);
    const seed = clientSeed(random);
    await Promise.all([0, 0, 0].map(() => spin(host, link, forkRandom(random), seed)));
  },
  latecomer: async (host, link, random) => {
    await open(host, link, random);
    const stream = forkRandom(random);
    later(host, random.around(30 * minuteMs), () => returnLater(host, link, stream));
  },
  atTheEnd: async (host, link, random) => {
    const stream = forkRandom(random);
    const untilEnd = link.expiresAt - host.api.now() + Math.round((random.next() - 0.5) * 4000);
    later(host, Math.max(0, untilEnd), () => returnLater(host, link, stream));
  },
  blind: async (host, link, random) => {
    await spin(host, link, random);
    await open(host, link, random);
  },
} satisfies Record<string, Visit>;

async function returnLater(host: Host, link: Link, random: Random): Promise<void> {
  await open(host, link, random);
  await spin(host, link, random);
  await open(host, link, random);
}

/** Waits as long as a player takes to read the page: mostly seconds, sometimes many minutes. */
const waitLikeReader = ({ api }: Host, random: Random) =>
  api.wait(random.around(random.chance(0.1) ? 20 * minuteMs : 8000));

const open = (host: Host, { token }: Link, random: Random) =>
  sendRequest(host, { endpoint: 'play/open', path: { token } }, random);

/** Plays a play URL, without opening its page. Keeps the outcome's id, so that operators can explain it. */
export async function spin(
  host: Host,
  { token }: Link,
  random: Random,
  seed: { client_seed?: string } = clientSeed(random),
): Promise<void> {
  const answer = await sendRequest(host, { endpoint: 'play/spin', path: { token }, body: seed }, random);
  const id = answer?.body?.outcome?.id;
  if (answer?.status === 200 && id) keepOutcome(host, id, random);
}
