import type { Context } from 'aws-lambda';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { createPlayUrl } from '../../shared/games/plays.ts';
import { type Game, games, type Lang, langs } from '../../shared/vocabulary.ts';
import { eventOf } from '../support/invoke.ts';
import { makeUser } from '../support/round-trips.ts';
import { bundledHandler } from './bundles.ts';
import type { Row } from './row.ts';
import { useTable } from './table.ts';

/** Requests a play page like a browser that accepts gzip. Returns the response's size in KiB and its encoding. */
async function pageOf(game: Game, lang: Lang) {
  await useTable();
  const now = Date.now();
  const { organization_id: organizationId } = await createOrganization('Bench', 'local', {
    operator: 'test',
    now,
  });
  const userId = await makeUser(organizationId, 10);
  const { token } = await createPlayUrl({ organizationId, userId, game, lang, now });
  const event = {
    ...eventOf('play/open', { organizationId, path: { token }, now }),
    headers: { 'Accept-Encoding': 'gzip' },
  };
  const handler = await bundledHandler('play/open');
  const { statusCode, headers, body, isBase64Encoded } = await handler(event, {} as Context);
  if (statusCode !== 200) throw new Error(`play/open returned ${statusCode}`);
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').length;
  return { game, lang, size: bytes / 1024, encoding: headers?.['content-encoding'] ?? 'not compressed' };
}

export const rows: Row[] = [
  {
    name: 'play-page',
    what: 'gzipped size of the largest play page',
    floor: '0',
    unit: ' KiB',
    target: { atMost: 30 },
    isExact: true,
    measure: async () => {
      const pages = await Promise.all(games.flatMap((game) => langs.map((lang) => pageOf(game, lang))));
      const largest = pages.reduce((most, one) => (one.size > most.size ? one : most));
      return { value: largest.size, detail: `${largest.game} in ${largest.lang}, ${largest.encoding}` };
    },
  },
];
