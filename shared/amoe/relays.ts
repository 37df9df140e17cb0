/**
 * Asks a beacon's relays (public servers) for a round. Verifies every signature, so that relays need not be
 * trusted.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import * as z from 'zod/mini';
import { shuffled } from '../shuffled.ts';
import type { StageBeacon } from '../stage-beacon.ts';
import { randomnessOf } from './drand.ts';

/** Milliseconds for all requests together, for one request, and for the pause before asking all relays again. */
export type Patience = { totalMs: number; answerMs: number; pauseMs: number };
const usualPatience: Patience = { totalMs: 20_000, answerMs: 3000, pauseMs: 2000 };

/** Thrown if no relay returned the round with a valid signature. The message lists the error of each relay. */
export class BeaconUnavailable extends Error {
  override name = 'BeaconUnavailable';
}

/**
 * Returns a round's verified signature in hex. Asks again for up to 20 s, because relays can lag by seconds, and then
 * throws BeaconUnavailable.
 */
export async function askRelays(
  beacon: StageBeacon,
  round: number,
  { totalMs, answerMs, pauseMs } = usualPatience,
): Promise<string> {
  const started = performance.now();
  const isOver = (ms = 0) => performance.now() - started + ms >= totalMs;
  const faults = new Map<string, string>();
  for (;;) {
    for (const relay of shuffled(beacon.relays)) {
      try {
        return await askRelay(relay, beacon, round, answerMs);
      } catch (error) {
        faults.set(relay, error instanceof Error ? error.message : String(error));
      }
      if (isOver()) break;
    }
    if (isOver(pauseMs)) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const reasons = [...faults].map(([relay, fault]) => `${relay}: ${fault}`).join('; ');
  throw new BeaconUnavailable(`no relay has round ${round} of ${beacon.chain}. ${reasons}`);
}

const roundSchema = z.object({ round: z.int(), signature: z.string() });

async function askRelay(relay: string, beacon: StageBeacon, round: number, answerMs: number) {
  const url = new URL(`${relay.replace(/\/+$/, '')}/${beacon.chain}/public/${round}`);
  const answer = roundSchema.safeParse(parsed(await read(url, answerMs)));
  if (!answer.success) throw new Error('no round');
  if (answer.data.round !== round) throw new Error(`round ${answer.data.round}`);
  const { signature } = answer.data;
  if (randomnessOf(beacon, round, signature) === undefined) throw new Error('invalid signature');
  return signature;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const maxHeaderBytes = 16 * 1024;
const maxBodyBytes = 4096;

/** Returns a response's body. Throws if the status is not 200, the body exceeds 4 KB, or time runs out. */
async function read(url: URL, answerMs: number): Promise<string> {
  const signal = AbortSignal.timeout(answerMs);
  try {
    const response = await responseOf(url, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) throw new Error('response too long');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  } catch (error) {
    throw signal.aborted ? new Error('timeout') : error;
  }
}

async function responseOf(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { accept: 'application/json', 'user-agent': 'Incentives/1' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Opens a connection for each request, because Lambda freezes the process for a day and kept connections
    // would be dead.
    request(url, { agent: false, headers, maxHeaderSize: maxHeaderBytes, signal }, resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('no response')))
      .end();
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`status ${response.statusCode}`);
}
