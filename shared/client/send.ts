import { IncentivesError } from './errors.ts';

/** A request, the same in all attempts. Only the first attempt may add the header `incentives-fault`. */
export type RepeatedRequest = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether the client may send the request again although an earlier attempt may have succeeded. */
  repeatable: boolean;
};

export type SendOptions = {
  fetch: typeof fetch;
  tries: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The fault that the first attempt asks the API for. */
  fault?: string | undefined;
};

/** Sends a request, in several attempts if needed. Throws an IncentivesError or the abort reason. */
export async function sendWithRetries(request: RepeatedRequest, options: SendOptions): Promise<unknown> {
  const { fault } = options;
  const faulty = fault && { ...request, headers: { ...request.headers, 'incentives-fault': fault } };
  for (let tried = 1; ; tried++) {
    try {
      return await sendOnce((tried === 1 && faulty) || request, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof IncentivesError) || tried >= options.tries || !mayRepeat(error, request))
        throw error;
      // Waits for the time in `Retry-After`. Without it, waits for 0.5 s at first, doubled each time up to 20 s.
      await wait(waitMs(error, tried), options.signal);
    }
  }
}

/** Codes of errors after which the request certainly had no effect. */
const withoutEffect: string[] = ['too_many_requests', 'unavailable'];
const withUnknownEffect: string[] = [
  'outcome_unknown',
  'accepted_repeat_to_collect',
  'no_answer',
  'unexpected_answer',
];

function mayRepeat({ code, status }: IncentivesError, { repeatable }: RepeatedRequest): boolean {
  if (withoutEffect.includes(code)) return true;
  // A further attempt would get a proxy's 4xx again, such as a 404 with HTML. After a proxy's 5xx, it may succeed.
  if (code === 'unexpected_answer' && (status ?? 0) < 500 && status !== 429) return false;
  return repeatable && withUnknownEffect.includes(code);
}

/** Returns the milliseconds until the next attempt: with up to 25 % at random, lest clients retry together. */
const waitMs = ({ retryAfter }: IncentivesError, tried: number) =>
  (retryAfter ?? Math.min(2 ** (tried - 2), 20)) * 1000 * (1 + Math.random() / 4);

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

async function sendOnce({ url, method, headers, body }: RepeatedRequest, options: SendOptions) {
  const { fetch, timeoutMs, signal } = options;
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort, { once: true });
  const timeOut = () => controller.abort(new Error(`no answer in ${timeoutMs} ms`));
  const timer = timeoutMs === Infinity ? undefined : setTimeout(timeOut, timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: controller.signal,
      // Does not follow redirects, because `fetch` could turn a POST into a GET.
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    return answerOf(response, await response.text());
  } catch (cause) {
    if (cause instanceof IncentivesError) throw cause;
    throw new IncentivesError('no_answer', `${method} ${url}: no answer`, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function answerOf(response: Response, text: string): unknown {
  const body = parsed(text);
  if (response.ok && body.status === 'success') return body;
  const { status, headers } = response;
  const details = {
    status,
    detail: textOf(body.detail),
    requestId: textOf(body.request_id) ?? headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  };
  const code = body.status === 'error' ? textOf(body.code) : undefined;
  if (code === undefined) {
    throw new IncentivesError('unexpected_answer', `HTTP ${status}, but not from the service`, details);
  }
  throw new IncentivesError(code as IncentivesError['code'], textOf(body.message) ?? code, details);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const secondsOf = (value: string | null) => (value && /^\d{1,6}$/.test(value) ? Number(value) : undefined);

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
