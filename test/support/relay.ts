import type { ServerResponse } from 'node:http';
import { localBeacon, relayAnswer } from '../../infra/develop/local/beacon.ts';
import type { StageBeacon } from '../../shared/drand/rounds.ts';
import { serve } from './serve.ts';

/** Responds to a request for a path in place of a beacon relay. */
export type RelayBehaviour = (path: string, response: ServerResponse) => void;
export type Relay = {
  url: string;
  /** The paths that were requested so far. */
  asked: string[];
  behave: (behaviour: RelayBehaviour) => void;
  close: () => Promise<void>;
};

/** Responds like a correct relay of the local beacon. */
export const honest: RelayBehaviour = (path, response) => {
  const answer = relayAnswer(path);
  response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
};

/** Starts a server on a free local port that acts as a relay of the local beacon (public randomness). */
export async function startRelay(behaviour: RelayBehaviour = honest): Promise<Relay> {
  const asked: string[] = [];
  let behave = behaviour;
  const { url, close } = await serve(({ url = '' }, response) => {
    asked.push(url);
    behave(url, response);
  });
  return {
    url,
    asked,
    behave: (next) => {
      behave = next;
    },
    close,
  };
}

/** Returns the configuration of the local beacon, with the given relays instead of its own. */
export const beaconAt = (...relays: { url: string }[]): StageBeacon => ({
  ...localBeacon,
  relays: relays.map(({ url }) => url),
});
