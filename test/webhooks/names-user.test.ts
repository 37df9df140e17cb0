import { expect, test } from 'vitest';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { readCallsNaming } from '../../shared/webhooks/calls-of-user.ts';
import { newOrganization } from '../support/api.ts';

const user_id = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';
const escaped = (text: string) =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the payloads of invocations in which an erasure or export finds the user with this reference. */
async function found(external_reference: string, payloads: string[]): Promise<string[]> {
  const { organizationId: organization_id } = await newOrganization();
  const now = Date.now();
  const record = callRecorder();
  const call = { organization_id, webhook_id: 'wh_1', event_id: 'inv_1', event_type: 'invoke', attempt: 1 };
  const made = {
    ...call,
    timestamp: new Date(now).toISOString(),
    url: 'https://hooks.example.com/',
    duration_ms: 1,
  };
  await Promise.all(payloads.map((payload) => record({ ...made, payload })));
  const calls: string[] = [];
  for await (const { payload } of readCallsNaming(organization_id, { user_id, external_reference }, now))
    calls.push(payload);
  return payloads.filter((payload) => calls.includes(payload));
}

test.each<[reference: string, named: string[], others: string[]]>([
  [
    '9007199254740993',
    [
      '{"id":9007199254740993}',
      '{"id":[1,9007199254740993,2]}',
      '{"9007199254740993":{}}',
      '{"id":9007199254740993,"id":1}',
      '{"text":"User 9007199254740993, who left."}',
      `{"a":"b","user":"${user_id}"}`,
    ],
    ['{"id":9007199254740992}', '{"id":9007199254740993.5}', '{"id":19007199254740993}'],
  ],
  [
    '17',
    ['{"id":17}', '{"path":"/users/17/cart?x=1"}', '{"text":"17: hello"}', '{"text":"It was user-17."}'],
    [
      '{"id":170,"at":"2026-11-17T12:17:17Z","text":"17.5 of a17 and 1,017"}',
      '{"id":1.7e1,"on":"17:30","phone":"555-17"}',
    ],
  ],
  [
    'Ana & "Zoë"/1',
    [
      JSON.stringify({ text: 'Ana & "Zoë"/1 has left' }),
      JSON.stringify({ text: 'Ana & "Zoë"/1'.normalize('NFD') }),
      JSON.stringify({ json: JSON.stringify({ name: 'Ana & "Zoë"/1' }) }),
      JSON.stringify({ html: 'by <b>Ana &amp; &quot;Zo&#235;&#x22;/1</b>' }),
      JSON.stringify({ url: `https://example.com/u/${encodeURIComponent('Ana & "Zoë"/1')}/x` }),
      JSON.stringify({
        url: `https://example.com/?${new URLSearchParams({ u: 'Ana & "Zoë"/1' })}`.toLowerCase(),
      })
        .replace('ana', 'Ana')
        .replace('zo', 'Zo'),
      JSON.stringify({ json: JSON.stringify({ u: encodeURIComponent('Ana & "Zoë"/1') }) }),
      `{"text":"${escaped('Ana & "Zoë"/1').join('')}"}`,
    ],
    [
      JSON.stringify({ text: 'Ana & "Zoë"/12' }),
      JSON.stringify({ text: 'Joana & "Zoë"/1' }),
      '{"text":"Ana"}',
    ],
  ],
  ['=(x)', ['{"a":"b=(x)c"}'], ['{"a":"=x"}']],
])(
  'an erasure finds the reference %s in invoked payloads that name it, and in no others',
  async (reference, named, others) => {
    expect(await found(reference, [...named, ...others])).toEqual(named);
  },
);
