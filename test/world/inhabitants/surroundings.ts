/** What the inhabitants of a world have around them: all that they see of it, and all that they can do in it. */
import type { HttpRequest, HttpResponse, Journal } from '../journal.ts';
import type { Random } from '../random.ts';
import type { Character } from './characters.ts';

/** A world as its inhabitants see it. */
export type Api = {
  /** Inhabitants draw from forks of it alone, each from one of its own. */
  random: Random;
  /** True time, in epoch milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Sends a request to the API. Rejects with `ConnectionLost` if no answer comes within the sender's 30 seconds. */
  send(request: HttpRequest): Promise<HttpResponse>;
  journal: Journal;
  /**
   * Runs an operator's command, `npm run admin -- …args --stage staging`, with files by their names; the
   * journal has it.
   */
  admin(args: string[], files?: Record<string, string>): Promise<CommandResult>;
  /**
   * The dead letters of a queue (`deliveries`, `spin-shards`) or of a worker on the stream
   * (`events/publish-events`).
   */
  deadLetters(of: string): DeadLetters;
  receivers: {
    /** Puts a receiver behind a URL, in the form that `new URL(url).href` gives it. */
    register(url: string, character: Character): void;
  };
};

/** What a command came to; what it printed is parsed JSON, or text if it is none. */
// biome-ignore lint/suspicious/noExplicitAny: an operator reads whatever is printed
export type CommandResult = { exitCode: number; printed: any };

/** Dead letters that were looked at, which stay where they are; `purge` takes away these and no later ones. */
export type DeadLetters = { count: number; bodies: string[]; purge(): void };

/** A request of which its sender hears nothing; it may have been carried out. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}
