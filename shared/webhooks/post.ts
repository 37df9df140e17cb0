/** Sends POST requests, safe from server-side request forgery. An HTTP library would add 700 KiB to bundles. */
import { type Agent, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { finished } from 'node:stream/promises';
import { guardedLookup, isCallableUrl, NotPublic, type ResolveHost } from './public-address.ts';

/** The receiver's status and `Retry-After` header, or an error text that is safe to show to hosts. */
export type CallResponse = { status: number; retryAfter?: string | undefined } | { error: string };
/** Posts a body to a receiver. Never throws. */
export type PostCall = (url: string, headers: Record<string, string>, body: string) => Promise<CallResponse>;

/** A receiver must respond within this many milliseconds. */
export const receiverTimeoutMs = 15_000;
const maxHeaderBytes = 16 * 1024;
const maxResponseBytes = 4096;
const responseTimeoutMs = 1000;
const maxIdleMs = 2000;
const keepAliveMs = 10_000;

/** Calls only public addresses (locally also loopback), follows no redirects and waits at most 15 s. */
export function guardedPost(
  stage: string | undefined,
  {
    resolve,
    timeout = receiverTimeoutMs,
    now = Date.now,
  }: { resolve?: ResolveHost; timeout?: number; now?: () => number } = {},
): PostCall {
  const lookup = guardedLookup(stage, resolve);
  const agentFor = createAgents(now);
  return async (text, headers, body) => {
    // Checks the URL at each call, because the rules may have changed since the webhook was registered.
    if (!isCallableUrl(text, stage)) return { error: new NotPublic().message };
    const url = new URL(text);
    try {
      return await sendRequest(url, { headers, body, lookup, agent: agentFor(url), timeout });
    } catch (error) {
      return { error: errorTextOf(error) };
    }
  };
}

/**
 * Returns a function that chooses the agent for a URL. After two seconds without a call, it closes idle connections:
 * receivers may have closed them while Lambda froze the function.
 */
function createAgents(now: () => number): (url: URL) => Agent {
  const options = { keepAlive: true, timeout: keepAliveMs };
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)];
  let usedAt = now();
  return ({ protocol }) => {
    if (now() - usedAt > maxIdleMs) [http, https].forEach(closeIdle);
    usedAt = now();
    return protocol === 'https:' ? https : http;
  };
}

function closeIdle({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
}

type RequestOptions = {
  headers: Record<string, string>;
  body: string;
  lookup: LookupFunction;
  agent: Agent;
  timeout: number;
};

async function sendRequest(
  url: URL,
  { headers, body, lookup, agent, timeout }: RequestOptions,
): Promise<CallResponse> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Incentives-Webhooks/1' },
      agent,
      lookup,
      maxHeaderSize: maxHeaderBytes,
      signal: AbortSignal.timeout(timeout),
    };
    request(url, options, resolve)
      .on('error', reject)
      // Node emits only `close` if a receiver sends an unrequested protocol upgrade.
      .on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })))
      .end(body);
  });
  await readBody(response);
  return { status: response.statusCode!, retryAfter: response.headers['retry-after'] };
}

/** Closes the connection if the body is long or slow. */
async function readBody(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) response.destroy();
  });
  const tooSlow = setTimeout(() => response.destroy(), responseTimeoutMs);
  await finished(response).catch(() => {});
  clearTimeout(tooSlow);
}

const errorTexts: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: 'timeout',
};

function errorTextOf(error: unknown): string {
  if (!(error instanceof Error)) return 'call failed';
  if (error instanceof NotPublic) return error.message;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AggregateError && error.errors.length > 0) return errorTextOf(error.errors[0]);
  if (code && errorTexts[code]) return errorTexts[code];
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code))) return `TLS: ${code}`;
  return code ? `call failed: ${code}` : 'call failed';
}
