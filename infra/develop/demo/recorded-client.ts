import { type Client, type ClientOptions, createClient } from '../../../shared/client/client.ts';
import type { ApiCall } from './model.ts';

type CallsOf<G> = { [M in keyof G]: G[M] extends (...args: infer A) => infer R ? (...args: A) => R : never };
/** The host client's methods, without the iterators named `each`, which the demo does not use. */
export type RecordedClient = { [G in keyof Client]: CallsOf<Client[G]> };

export function createRecordedClient(options: ClientOptions, calls: ApiCall[]): RecordedClient {
  type Run = (input?: object) => Promise<unknown>;
  type Groups = Record<string, Record<string, Run>>;
  const recorded =
    (group: string, method: string) =>
    (input: object = {}) => {
      const call: ApiCall = { code: codeOf(`${group}.${method}`, input), request: '' };
      calls.push(call);
      const client = createClient({ ...options, fetch: recordingFetch(call) }) as unknown as Groups;
      return client[group]![method]!(input);
    };
  const groups = Object.entries(createClient(options)).map(([group, methods]) => {
    const names = Object.keys(methods);
    return [group, Object.fromEntries(names.map((method) => [method, recorded(group, method)]))];
  });
  return Object.fromEntries(groups) as RecordedClient;
}

const recordingFetch =
  (call: ApiCall): typeof fetch =>
  async (url, init = {}) => {
    const { method = 'GET', body } = init;
    const { pathname, search } = new URL(String(url));
    call.request = `${method} ${pathname}${search}`;
    const sent = body ? String(body) : undefined;
    // A request with a secret has no curl command, because a placeholder in its JSON would be sent as the secret.
    if (!sent?.includes('"secret_key"'))
      call.curl = curlOf(String(url), method, new Headers(init.headers), sent);
    const response = await fetch(url, init);
    call.status = response.status;
    call.answer = JSON.parse(withoutSecrets(await response.clone().text()));
    return response;
  };

const secretPlaceholder = '$WEBHOOK_SECRET';
const withoutSecrets = (json: string): string =>
  JSON.stringify(JSON.parse(json), (name, value) => (name === 'secret_key' ? secretPlaceholder : value));

function curlOf(url: string, method: string, headers: Headers, body: string | undefined): string {
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl -s ${isImplied ? '' : `-X ${method} `}${quoted(url)}`,
    headers.has('authorization') && '-H "Authorization: Bearer $API_KEY"',
    headers.has('x-organization-id') && `-H 'X-Organization-Id: ${headers.get('x-organization-id')}'`,
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quoted(body)}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function codeOf(name: string, input: object): string {
  const fields = Object.entries(JSON.parse(withoutSecrets(JSON.stringify(input))));
  const lines = fields.map(([field, value]) => `  ${field}: ${literalOf(value)},\n`);
  return `await incentives.${name}(${lines.length > 0 ? `{\n${lines.join('')}}` : ''});`;
}

const literalOf = (value: unknown) => {
  if (value === secretPlaceholder) return 'process.env.WEBHOOK_SECRET';
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
};
