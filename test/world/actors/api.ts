/** The interface through which simulated hosts, players and operators use the simulated world. */
import type { Random } from '../../support/random.ts';
import type { HttpRequest, HttpResponse, Journal } from '../journal.ts';
import type { ReceiverBehavior } from './receiver-behavior.ts';

export type Api = {
  /** Generator of random numbers from which each actor forks its own generator. */
  random: Random;
  /** Returns the world's time in epoch milliseconds, without the clock skew of function instances. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /**
   * Resolves shortly after the next critical moment, such as midnight (`moments.ts`), or at `until` (epoch
   * milliseconds) if that is earlier.
   */
  moment(until: number): Promise<void>;
  /** Sends a request to the API. Rejects with `ConnectionLost` if there is no answer within 30 seconds. */
  send(request: HttpRequest): Promise<HttpResponse>;
  journal: Journal;
  /** Returns a new number that a request shares with its retries and repetitions (`Exchange.requestNumber`). */
  newRequestNumber(): number;
  /** Runs an operator's command, in a terminal or in the console. `files` has the files that it reads, by path. */
  admin(args: string[], files?: Record<string, string>): Promise<CommandResult>;
  /**
   * Returns the dead letters of a queue such as `deliveries`, or of a worker without a queue such as
   * `workers/publish-events`.
   */
  deadLetters(of: string): DeadLetters;
  receivers: {
    /** Adds a simulated receiver for a URL. The URL must be normalized, as in `new URL(url).href`. */
    register(url: string, behavior: ReceiverBehavior): void;
  };
};

/** The result of an operator command. `printed` is the command's output, parsed if it is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: an operator reads whatever is printed
export type CommandResult = { exitCode: number; printed: any };

/** The dead letters that a queue had when it was read. `moveBack` moves them as SQS's message move task does. */
export type DeadLetters = { count: number; bodies: string[]; purge(): void; moveBack(): void };

/** Thrown if the response to a request does not arrive. The service may have executed the request. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}
