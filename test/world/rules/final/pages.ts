/** Finds the play page, the play URL's session and the user of a request in the journal. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { sha256 } from '../hashes.ts';
import type { World } from './final-state.ts';

// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever a page says
export type Page = Record<string, any>;

/** Returns the data of a play page, or undefined if the response is not a play page. */
export function pageOf({ endpoint, answer }: Exchange): Page | undefined {
  return endpoint === 'play/open' && answer?.body?.state !== undefined ? answer.body : undefined;
}

/** Returns the stored session of the play URL in a request, or undefined if none exists. */
export const sessionOf = (world: World, { path }: Exchange): StoredItem | undefined =>
  path.token === undefined ? undefined : world.item(`PLAY#${sha256(path.token)}`, 'PLAY');

/** Returns the id of the user in a request's path, or of the user of the play URL. */
export const userIn = (world: World, exchange: Exchange): string | undefined =>
  exchange.path.user_id ?? sessionOf(world, exchange)?.user_id;
