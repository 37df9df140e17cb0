/** Play pages as players see them, and what is behind them. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { sha256 } from '../texts.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever a page says
export type Page = Record<string, any>;

/** The data in the page that an exchange brought; undefined if it brought none. */
export function pageOf({ endpoint, answer }: Exchange): Page | undefined {
  return endpoint === 'play/open' && answer?.body?.state !== undefined ? answer.body : undefined;
}

/** The session behind the play URL of an exchange; undefined if it has none, or no longer one. */
export const sessionOf = (world: World, { path }: Exchange): StoredItem | undefined =>
  path.token === undefined ? undefined : world.item(`PLAY#${sha256(path.token)}`, 'PLAY');

/** The user whom an exchange is about: the one in its path, or the one whose play URL it is. */
export const userIn = (world: World, exchange: Exchange): string | undefined =>
  exchange.path.user_id ?? sessionOf(world, exchange)?.user_id;
