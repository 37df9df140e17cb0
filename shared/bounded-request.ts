/** Sends HTTP requests to servers that need not be trusted: with limits of time and size, and without redirects. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

type BoundedRequest = {
  headers: Record<string, string>;
  /** Without a body, the request is a GET. */
  body?: Uint8Array;
  /** Milliseconds until the response must be complete. */
  answerMs: number;
  maxBytes: number;
};

const maxHeaderBytes = 16 * 1024;

/** Throws if the status is not 200, the body exceeds `maxBytes`, or time runs out. */
export async function fetchBoundedBody(url: URL, request: BoundedRequest): Promise<Buffer> {
  const signal = AbortSignal.timeout(request.answerMs);
  try {
    const response = await responseTo(url, request, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > request.maxBytes) throw new Error('response too long');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw signal.aborted ? new Error('timeout') : error;
  }
}

async function responseTo(
  url: URL,
  { headers, body }: BoundedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = {
    // Opens a connection for each request, because Lambda freezes the process for hours and kept connections
    // would be dead.
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { 'user-agent': 'Incentives/1', ...headers, ...(body && { 'content-length': body.length }) },
    maxHeaderSize: maxHeaderBytes,
    signal,
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('no response')))
      .end(body);
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`status ${response.statusCode}`);
}
