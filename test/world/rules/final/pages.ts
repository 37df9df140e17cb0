/** Play pages and their sessions. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { sha256 } from '../hashes.ts';
import type { World } from './final-state.ts';

// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever a page says
export type Page = Record<string, any>;

/** Returns the data of a play page, or undefined if the answer has none. */
export function pageOf({ endpoint, answer }: Exchange): Page | undefined {
  return endpoint === 'play/open' && answer?.body?.state !== undefined ? answer.body : undefined;
}

/** Returns the session of a play URL, or undefined if it does not exist. */
export const sessionOf = (world: World, { path }: Exchange): StoredItem | undefined =>
  path.token === undefined ? undefined : world.item(`PLAY#${sha256(path.token)}`, 'PLAY');

/** Returns the user of an exchange, from its path or its play URL. */
export const userIn = (world: World, exchange: Exchange): string | undefined =>
  exchange.path.user_id ?? sessionOf(world, exchange)?.user_id;
