import { request as send } from 'node:http';
import type { Answer } from './api.ts';
import { baseUrl } from './api.ts';
import { untilAnswered } from './repeat.ts';

type Raw = {
  method: string;
  /** The path and query, sent unchanged and without URL normalization. */
  target: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
};

type RawAnswer = Answer & { bytes: Buffer };

/** Sends a request that `fetch` rejects, such as one with a malformed path. Retries temporary refusals. */
export const raw = (request: Raw): Promise<RawAnswer> => untilAnswered(() => sendRaw(request));

function sendRaw({ method, target, headers = {}, body }: Raw): Promise<Omit<RawAnswer, 'sent'>> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { hostname, port, method, path: target, headers: { ...length, ...headers } };
    const request = send(options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString();
      resolve({
        status: response.statusCode ?? 0,
        headers: new Headers(response.headers as Record<string, string>),
        bytes,
        body: text.startsWith('{') ? JSON.parse(text) : text,
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
