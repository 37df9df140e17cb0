/** The interface through which actors see and change the world. */
import type { HttpRequest, HttpResponse, Journal } from '../journal.ts';
import type { Random } from '../random.ts';
import type { ReceiverBehavior } from './receiver-behavior.ts';

/** The world as its actors see it. */
export type Api = {
  /** The random stream of all actors. Each draws from a fork of its own. */
  random: Random;
  /** Returns the true time in epoch milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Sends a request to the API. Rejects with `ConnectionLost` if there is no answer within 30 seconds. */
  send(request: HttpRequest): Promise<HttpResponse>;
  journal: Journal;
  /**
   * Runs `npm run admin -- …args --stage staging` and records it in the journal. `files` maps paths to
   * contents.
   */
  admin(args: string[], files?: Record<string, string>): Promise<CommandResult>;
  /**
   * Returns the dead letters of a queue (`deliveries`, `spin-shards`) or of a stream worker
   * (`events/publish-events`).
   */
  deadLetters(of: string): DeadLetters;
  receivers: {
    /** Adds a receiver for a URL. The URL must be spelled as in `new URL(url).href`. */
    register(url: string, behavior: ReceiverBehavior): void;
  };
};

/** The result of a command. Its output is parsed if it is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: an operator reads whatever is printed
export type CommandResult = { exitCode: number; printed: any };

/** Dead letters as they were read. They stay on the queue; `purge` deletes them, but no later ones. */
export type DeadLetters = { count: number; bodies: string[]; purge(): void };

/** The answer to a request did not arrive. The request may have been executed. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}
