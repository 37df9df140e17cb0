/** The call itself: one signed POST to a callback, guarded against being led astray. */
import { isIP } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { guardedLookup, hostOf, isCallableUrl, mayCall, NotPublic, type Resolve } from './public-address.ts';

/** What came back: a status, and what the receiver asks for; or what went wrong, in words that are safe to show. */
export type CallResponse = { status: number; retryAfter?: string | undefined } | { error: string };
/** Sends a body to a URL. Never throws. */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<CallResponse>;

const timeoutMs = 15_000;
const connectTimeoutMs = 10_000;
const mostResponseBytes = 4096;
const responseTimeoutMs = 1000;
const longestIdleMs = 2000;

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
  const dispatcher = freshAfterIdle(now, {
    connect: { lookup: guardedLookup(stage, resolve), timeout: Math.min(connectTimeoutMs, timeout) },
    allowH2: false,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });
  return async (text, headers, body) => {
    // A webhook may be older than the rules.
    if (!isCallableUrl(text, stage)) return { error: new NotPublic().message };
    const url = new URL(text);
    const host = hostOf(url);
    if (isIP(host) && !mayCall(host, stage)) return { error: new NotPublic().message };
    try {
      return await send(url, { headers, body, dispatcher: dispatcher(), timeout });
    } catch (error) {
      return { error: wordsFor(error) };
    }
  };
}

/**
 * Connections to call on. A function is frozen between its invocations: its receivers' connections die unseen
 * meanwhile, and the next call on one would fail for no fault of theirs. So none from before a pause is used again.
 */
function freshAfterIdle(now: () => number, options: Agent.Options): () => Agent {
  let agent = new Agent(options);
  let usedAt = now();
  return () => {
    if (now() - usedAt > longestIdleMs) {
      // Ends once what is still under way has been answered.
      agent.close().catch(() => {});
      agent = new Agent(options);
    }
    usedAt = now();
    return agent;
  };
}

async function send(
  url: URL,
  options: { headers: Record<string, string>; body: string; dispatcher: Dispatcher; timeout: number },
): Promise<CallResponse> {
  const { headers, body, dispatcher, timeout } = options;
  const response = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Incentives-Webhooks/1' },
    body,
    dispatcher,
    signal: AbortSignal.timeout(timeout),
  });
  // The status is the answer: what becomes of the rest changes nothing.
  await response.body
    .dump({ limit: mostResponseBytes, signal: AbortSignal.timeout(responseTimeoutMs) })
    .catch(() => response.body.destroy());
  const retryAfter = response.headers['retry-after'];
  return {
    status: response.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  };
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'connection closed',
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
