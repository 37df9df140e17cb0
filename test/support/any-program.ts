import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';

export type Headers = Record<string, string>;

/** Sends an HTTP request with any Host and Origin headers. `fetch` does not allow these headers to be set. */
export function askAsAnyProgram(
  { host, port }: URL,
  {
    method,
    path,
    headers = {},
    body,
  }: { method: string; path: string; headers?: Headers; body?: string | undefined },
) {
  return new Promise<{ status: number; headers: Headers; body: string }>((resolve, reject) => {
    const request = send(
      { host: '127.0.0.1', port, method, path, headers: { host, ...headers } },
      async (response) => {
        resolve({
          status: response.statusCode!,
          headers: response.headers as Headers,
          body: await text(response),
        });
      },
    );
    request.on('error', reject).end(body);
  });
}
