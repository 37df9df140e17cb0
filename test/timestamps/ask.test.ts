import type { ServerResponse } from 'node:http';
import { AsnConvert } from '@peculiar/asn1-schema';
import { PKIStatus, PKIStatusInfo, TimeStampResp, TimeStampToken } from '@peculiar/asn1-tsp';
import { afterEach, expect, test } from 'vitest';
import { localAuthority, timestampResponse } from '../../infra/develop/local/authority.ts';
import { createTimestampAsker, parseTimestampResponse } from '../../shared/timestamps/ask.ts';
import { BadTimestamp, checkTimestampToken } from '../../shared/timestamps/token.ts';
import {
  type AuthorityBehaviour,
  authorityOf,
  sha256,
  startAuthority,
  tokenFor,
} from '../support/authority.ts';

const digest = sha256('a text');
const started: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

async function authority(behave?: AuthorityBehaviour) {
  const one = await startAuthority(behave);
  started.push(one);
  return one;
}

const responseWith = (token: Uint8Array, status = PKIStatus.granted) =>
  Buffer.from(
    AsnConvert.serialize(
      new TimeStampResp({
        status: new PKIStatusInfo({ status }),
        timeStampToken: AsnConvert.parse(token, TimeStampToken),
      }),
    ),
  );
const rejection = Buffer.from(
  AsnConvert.serialize(new TimeStampResp({ status: new PKIStatusInfo({ status: PKIStatus.rejection }) })),
);
const end = (of: (request: Buffer) => Buffer | string) => (request: Buffer, response: ServerResponse) =>
  void response.end(of(request));
const minute = 60_000;
const hour = 60 * minute;

const hanging: Record<string, AuthorityBehaviour> = {
  'no answer': () => {},
  'an endless answer': (_, response) => void response.write('x'),
};
const faulty: Record<string, AuthorityBehaviour> = {
  'an error of its server': (_, response) => void response.writeHead(500).end(),
  'a redirect': (_, response) => void response.writeHead(302, { location: 'http://localhost:1/' }).end(),
  'a long answer': (_, response) => void response.write('x'.repeat(100_000)),
  'no ASN.1': end(() => '<html>maintenance</html>'),
  'a rejection': end(() => rejection),
  'a token for another text': end(() => responseWith(tokenFor('another text', Date.now()))),
  'an old token': end(() => responseWith(tokenFor('a text', Date.now()))),
  'a token with a foreign key': end((request) =>
    timestampResponse(request, Date.now(), authorityOf('forger')),
  ),
  'a time of an hour ago': end((request) => timestampResponse(request, Date.now() - hour)),
  'a time before the earliest allowed one': end((request) =>
    timestampResponse(request, Date.now() - 2 * minute),
  ),
};

test.each(Object.entries({ ...hanging, ...faulty }))(
  'after %s, the next authority is asked',
  async (name, behave) => {
    const bad = await authority(behave);
    const good = await authority();
    const ask = createTimestampAsker([bad.setting, good.setting], name in hanging ? { answerMs: 2000 } : {});
    const timestamp = await ask(digest, Date.now(), Date.now() - minute);
    expect(bad.requests).toHaveLength(1);
    expect(good.requests).toMatchObject([{ type: 'application/timestamp-query' }]);
    const { at } = checkTimestampToken(timestamp!.token, digest, [timestamp!.root]);
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
    expect(Buffer.from(timestamp!.root)).toEqual(localAuthority.root.certificate.raw);
  },
);

test('a token is in a response that grants it, with or without modifications, and in no other', () => {
  const token = tokenFor('a text', Date.now());
  for (const status of [PKIStatus.granted, PKIStatus.grantedWithMods])
    expect(Buffer.from(parseTimestampResponse(responseWith(token, status)))).toEqual(Buffer.from(token));
  for (const status of [PKIStatus.rejection, PKIStatus.waiting, PKIStatus.revocationNotification])
    expect(() => parseTimestampResponse(responseWith(token, status))).toThrow(
      new BadTimestamp(`status ${PKIStatus[status]}`),
    );
});

test('a token that lacks its root is accepted if Node trusts the root', async () => {
  const short = await authority((request, response) => {
    response.end(timestampResponse(request, Date.now(), localAuthority, { withRoot: false }));
  });
  const roots = [localAuthority.root.certificate.toString()];
  expect(await createTimestampAsker([short.setting])(digest, Date.now())).toBeUndefined();
  const { token, root } = (await createTimestampAsker([short.setting], { roots })(digest, Date.now()))!;
  expect(checkTimestampToken(token, digest, [root]).path).toHaveLength(2);
});

test('an authority that failed three times is not asked again, and there may be no timestamp', async () => {
  const bad = await authority(faulty['an error of its server']);
  const ask = createTimestampAsker([bad.setting]);
  for (let i = 0; i < 5; i++) expect(await ask(digest, Date.now())).toBeUndefined();
  expect(bad.requests).toHaveLength(3);
});
