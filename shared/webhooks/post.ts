/** The call itself: one signed POST to a callback, guarded against being led astray. */
import { type Agent, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { finished } from 'node:stream/promises';
import { guardedLookup, hostOf, isCallableUrl, mayCall, NotPublic, type Resolve } from './public-address.ts';

/** What came back: a status, and what the receiver asks for; or what went wrong, in words that are safe to show. */
export type CallResponse = { status: number; retryAfter?: string | undefined } | { error: string };
/** Sends a body to a URL. Never throws. */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<CallResponse>;

const timeoutMs = 15_000;
const mostHeaderBytes = 16 * 1024;
const mostResponseBytes = 4096;
const responseTimeoutMs = 1000;
const longestPauseMs = 2000;
const keepAliveMs = 10_000;

/**
 * Makes the `post` of a stage. Every address of a name is checked and a checked one is dialled; redirects are not
 * followed; 15 s for all of it; of the response, no more is read than lets the connection be used again.
 */
export function guardedPost(
  stage: string | undefined,
  {
    resolve,
    timeout = timeoutMs,
    now = Date.now,
  }: { resolve?: Resolve; timeout?: number; now?: () => number } = {},
): Post {
  const lookup = guardedLookup(stage, resolve);
  const agentFor = agents(now);
  return async (text, headers, body) => {
    // A webhook may be older than the rules.
    if (!isCallableUrl(text, stage)) return { error: new NotPublic().message };
    const url = new URL(text);
    const host = hostOf(url);
    if (isIP(host) && !mayCall(host, stage)) return { error: new NotPublic().message };
    try {
      return await send(url, { headers, body, lookup, agent: agentFor(url), timeout });
    } catch (error) {
      return { error: wordsFor(error) };
    }
  };
}

/**
 * The connections to call on. A function is frozen between its invocations: its receivers' connections die unseen
 * meanwhile, and the next call on one would fail for no fault of theirs. So none from before a pause is used again.
 */
function agents(now: () => number): (url: URL) => Agent {
  const kept = { keepAlive: true, timeout: keepAliveMs };
  const [http, https] = [new HttpAgent(kept), new HttpsAgent(kept)];
  let usedAt = now();
  return ({ protocol }) => {
    if (now() - usedAt > longestPauseMs) [http, https].forEach(closeIdle);
    usedAt = now();
    return protocol === 'https:' ? https : http;
  };
}

function closeIdle({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
}

type Call = {
  headers: Record<string, string>;
  body: string;
  lookup: LookupFunction;
  agent: Agent;
  timeout: number;
};

async function send(url: URL, { headers, body, lookup, agent, timeout }: Call): Promise<CallResponse> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Incentives-Webhooks/1' },
      agent,
      lookup,
      maxHeaderSize: mostHeaderBytes,
      signal: AbortSignal.timeout(timeout),
    };
    request(url, options, resolve)
      .on('error', reject)
      // A receiver that wants to change the protocol, unasked, brings about neither a response nor an error.
      .on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })))
      .end(body);
  });
  await readAway(response);
  return { status: response.statusCode!, retryAfter: response.headers['retry-after'] };
}

/**
 * Reads a response to its end, so that its connection can be used again; one that is long or slow loses its
 * connection instead. The status is the answer: what becomes of the rest changes nothing.
 */
async function readAway(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostResponseBytes) response.destroy();
  });
  const tooSlow = setTimeout(() => response.destroy(), responseTimeoutMs);
  await finished(response).catch(() => {});
  clearTimeout(tooSlow);
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: 'timeout',
};

/** An error in words that tell a host what is wrong with its receiver, and nothing of the network in here. */
function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return 'call failed';
  if (error instanceof NotPublic) return error.message;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AggregateError && error.errors.length > 0) return wordsFor(error.errors[0]);
  if (code && words[code]) return words[code];
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code))) return `TLS: ${code}`;
  return code ? `call failed: ${code}` : 'call failed';
}
