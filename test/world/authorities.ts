/** Simulates timestamp authorities, with failures and lies. An authority answers requests of RFC 3161 over HTTP. */
import { AsnConvert } from '@peculiar/asn1-schema';
import { TimeStampReq } from '@peculiar/asn1-tsp';
import { localAuthority, rootFingerprint, timestampResponse } from '../../infra/develop/local/authority.ts';
import { issueCertificate } from '../../infra/develop/local/certificates.ts';
import type { TimestampAuthority } from '../../shared/stage-authorities.ts';
import type { Random } from '../support/random.ts';
import type { Faults } from './faults.ts';
import { connectionError, type NetworkReply, type NetworkRequest } from './http.ts';
import type { Instance } from './instances.ts';
import type { Timeline } from './timeline.ts';

const domain = '.timestamps.example.com';
/** The authorities of every world: two servers that make real signatures with the keys of the local authority. */
export const timestampAuthorities: TimestampAuthority[] = ['first', 'second'].map((name) => ({
  url: `http://${name}${domain}/`,
  root: rootFingerprint(localAuthority),
}));

/** A forger's authority, whose certificates have the names of the local authority's certificates. */
const forger = (() => {
  const root = issueCertificate({ name: 'Incentives local timestamp root', for: 'authority', key: 'forger' });
  const signer = issueCertificate({
    name: 'Incentives local timestamps',
    for: 'timestamps',
    key: 'forged',
    by: root,
  });
  return { root, signer };
})();

type Options = { timeline: Timeline; random: Random; faults: Faults; trace: (line: string) => void };
type Reply = (reply: NetworkReply) => void;

export function createAuthorities({ timeline, random, faults, trace }: Options) {
  const outUntil = new Map<string, number>();
  /** The latest answer of an authority, which it may send again to another request. */
  let latest = Buffer.from('');

  function reactionTo({ outage }: Instance, { hostname }: URL): Reaction {
    if (faults.strikes('authorityOutage')) outUntil.set(hostname, timeline.now() + faults.delay(7 * hour));
    const isOut = !faults.hasEnded() && timeline.now() < (outUntil.get(hostname) ?? 0);
    if (outage || isOut) return faults.pick(outageReactions);
    return faults.strikes('authorityFault') ? faults.pick(reactions) : 'well';
  }

  return {
    serves: ({ hostname }: URL) => hostname.endsWith(domain),
    /** Answers a function instance's request to an authority. */
    carry(caller: Instance, { url, body }: NetworkRequest, reply: Reply) {
      const reaction = reactionTo(caller, url);
      trace(`${caller.id} asks ${url.hostname} for a timestamp: ${reaction}`);
      if (reaction !== 'well') caller.faultCount++;
      const value = replies[reaction]({ request: body, at: timeline.now(), latest });
      if (!value) return;
      if (reaction === 'well') latest = Buffer.from((value as { body: Uint8Array }).body);
      const ms =
        random.around(caller.hasSlowCalls ? 4000 : 150) + (reaction === 'late' ? faults.delay(8000) : 0);
      timeline.after(ms, () => caller.deliver(() => reply(value)));
    },
  };
}

const hour = 3_600_000;
type Asked = { request: Uint8Array; at: number; latest: Buffer };
const bytes = (body: string | Uint8Array, of: object = {}): NetworkReply => ({ status: 200, body, ...of });

function ofAnotherText(request: Uint8Array): Uint8Array {
  const changed = AsnConvert.parse(request, TimeStampReq);
  new Uint8Array(changed.messageImprint.hashedMessage.buffer)[0]! ^= 1;
  return new Uint8Array(AsnConvert.serialize(changed));
}

/** Responses of an authority, by kind. `undefined` means no response. */
const replies = {
  well: ({ request, at }) => bytes(timestampResponse(request, at)),
  late: ({ request, at }) => bytes(timestampResponse(request, at)),
  broken: () => bytes('', { status: 502 }),
  elsewhere: () => bytes('', { status: 302, headers: { location: 'https://elsewhere.example.com/' } }),
  refused: () => ({ error: connectionError('ECONNREFUSED') }),
  'hung up': () => ({ error: connectionError('ECONNRESET') }),
  hung: () => undefined,
  garbage: () => bytes('<html>maintenance</html>'),
  endless: () => bytes('0', { end: 'never' }),
  stalled: ({ request, at }) => bytes(timestampResponse(request, at).subarray(0, 100), { end: 'stalled' }),
  'an old answer': ({ latest }) => bytes(latest),
  'a token of another text': ({ request, at }) => bytes(timestampResponse(ofAnotherText(request), at)),
  'a forged token': ({ request, at }) => bytes(timestampResponse(request, at, forger)),
  'a time of yesterday': ({ request, at }) => bytes(timestampResponse(request, at - 24 * hour)),
} satisfies Record<string, (asked: Asked) => NetworkReply | undefined>;

type Reaction = keyof typeof replies;
const reactions = (Object.keys(replies) as Reaction[]).filter((reaction) => reaction !== 'well');
const outageReactions: Reaction[] = ['refused', 'hung up', 'hung', 'broken'];
