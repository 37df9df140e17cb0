/** Fetches rounds. Verifies every signature, so that relays need not be trusted. */
import * as z from 'zod/mini';
import { fetchBoundedBody } from '../bounded-request.ts';
import { shuffled } from '../shuffled.ts';
import { randomnessOf } from './drand.ts';
import type { StageBeacon } from './rounds.ts';

/** Milliseconds for all requests together, for one request, and for the pause before asking all relays again. */
export type RelayTimeouts = { totalMs: number; answerMs: number; pauseMs: number };
const usualPatience: RelayTimeouts = { totalMs: 20_000, answerMs: 3000, pauseMs: 2000 };

/** Thrown if no relay returned the round with a valid signature. */
export class BeaconUnavailable extends Error {
  override name = 'BeaconUnavailable';
}

/** Returns a round's signature in hex. Relays can lag, so asks for up to 20 s, then throws BeaconUnavailable. */
export async function fetchRoundSignature(
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
  throw new BeaconUnavailable(`no relay has round ${round} of ${beacon.hash}. ${reasons}`);
}

const maxBodyBytes = 4096;
const roundSchema = z.object({ round: z.int(), signature: z.string() });

async function askRelay(relay: string, beacon: StageBeacon, round: number, answerMs: number) {
  const url = new URL(`${relay.replace(/\/+$/, '')}/${beacon.hash}/public/${round}`);
  const headers = { accept: 'application/json' };
  const body = await fetchBoundedBody(url, { headers, answerMs, maxBytes: maxBodyBytes });
  const answer = roundSchema.safeParse(parsed(body.toString()));
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
