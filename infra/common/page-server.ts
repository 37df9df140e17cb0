import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ownOriginPolicy } from '../../shared/page-policy.ts';
import { buildPageAsset } from './page-assets.ts';
import { Problem } from './problem.ts';

type PageServer = { port: number; stop: () => Promise<void> };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts an HTTP server on 127.0.0.1. Port 0 picks a free port. Throws a Problem if the port is in use. */
export async function startPageServer(port: number, answer: Answer): Promise<PageServer> {
  const server = createServer(answer);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Problem(`Port ${port} is in use. Choose another one: --port 3011`);
    throw error;
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export function cachedAssets(folder: string): (name: string) => string {
  const built = new Map<string, string>();
  return (name) => {
    const text = built.get(name) ?? buildPageAsset(join(folder, name));
    built.set(name, text);
    return text;
  };
}

/** Enough for a file of 100,000 lines. */
const maxBodyBytes = 64_000_000;

export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(String(await readBody(request)));
  } catch {
    return undefined;
  }
}

/** `more` adds CSP directives. */
export const pageHeaders = (...more: string[]): Record<string, string> => ({
  'content-security-policy': [ownOriginPolicy, ...more].join('; '),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});
