import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOfRelay, localBeacon } from '../../infra/develop/local/beacon.ts';
import type { StageBeacon } from '../../shared/stage-beacon.ts';

/** What a relay does with a request for a path: its own way with the response. */
export type RelayBehaviour = (path: string, response: ServerResponse) => void;
export type Relay = {
  url: string;
  /** The paths that it was asked for. */
  asked: string[];
  behave: (behaviour: RelayBehaviour) => void;
  close: () => Promise<void>;
};

/** What a relay does that is as it should be. */
export const honest: RelayBehaviour = (path, response) => {
  const answer = answerOfRelay(path);
  response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
};

/** Starts a relay of the local stage's beacon on a free port of this machine. */
export async function startRelay(behaviour: RelayBehaviour = honest): Promise<Relay> {
  const asked: string[] = [];
  let behave = behaviour;
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    behave(url, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (next) => {
      behave = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** The local stage's beacon as some relays serve it. */
export const beaconAt = (...relays: { url: string }[]): StageBeacon => ({
  ...localBeacon,
  relays: relays.map(({ url }) => url),
});
