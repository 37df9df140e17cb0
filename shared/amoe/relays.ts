/** The relays of a beacon: public servers of rounds, by drand's HTTP API. None of them is believed. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import * as z from 'zod/mini';
import { shuffled } from '../shuffled.ts';
import type { StageBeacon } from '../stage-beacon.ts';
import { randomnessOf } from './drand.ts';

/** For how long relays are asked: all of them, one, and after how long all of them again. */
export type Patience = { totalMs: number; answerMs: number; pauseMs: number };
const usualPatience: Patience = { totalMs: 20_000, answerMs: 3000, pauseMs: 2000 };

/** No relay has a round, or none that is right; the message says what each did instead. */
export class BeaconUnavailable extends Error {
  override name = 'BeaconUnavailable';
}

/**
 * The signature of a round, checked, from the first relay that has it. They are asked in random order, and all again for
 * 20 s: a round that is due this moment may not be there yet. Throws BeaconUnavailable.
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
  const said = [...faults].map(([relay, fault]) => `${relay}: ${fault}`).join('; ');
  throw new BeaconUnavailable(`round ${round} of ${beacon.chain} is at no relay. ${said}`);
}

const roundSchema = z.object({ round: z.int(), signature: z.string() });

async function askRelay(relay: string, beacon: StageBeacon, round: number, answerMs: number) {
  const url = new URL(`${relay.replace(/\/+$/, '')}/${beacon.chain}/public/${round}`);
  const answer = roundSchema.safeParse(parsed(await read(url, answerMs)));
  if (!answer.success) throw new Error('no round');
  if (answer.data.round !== round) throw new Error(`round ${answer.data.round}`);
  const { signature } = answer.data;
  if (randomnessOf(beacon, round, signature) === undefined) throw new Error('a wrong signature');
  return signature;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const mostHeaderBytes = 16 * 1024;
const mostBytes = 4096;

/** What a GET is answered, if that is a 200 of 4 KB at most and all of it is there in time. Redirects are not followed. */
async function read(url: URL, answerMs: number): Promise<string> {
  const signal = AbortSignal.timeout(answerMs);
  try {
    const response = await responseOf(url, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error('a long answer');
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
    // A connection of its own: a function is frozen between its invocations, and a day later none is alive.
    request(url, { agent: false, headers, maxHeaderSize: mostHeaderBytes, signal }, resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('no response')))
      .end();
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`status ${response.statusCode}`);
}
