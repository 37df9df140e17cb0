import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { renderPage as RenderPage } from '../../functions/play/page/render.ts';
import { defaultPrizeTables, type Game } from '../../shared/games/prize-tables.ts';
import { bundles } from './bundles.ts';
import type { Row } from './row.ts';

const renderer = 'play/page/render';

/** The compressed page of a game that can be played, in KiB. */
async function pageSize(game: Game, lang: 'en' | 'es'): Promise<number> {
  const require = createRequire(import.meta.url);
  const { renderPage }: { renderPage: typeof RenderPage } = require(
    join(await bundles(), renderer, 'index.js'),
  );
  const { version, prizes } = defaultPrizeTables[game];
  const { html } = renderPage({
    lang,
    game,
    state: 'ready',
    now: '2026-03-10T15:00:00.000Z',
    expires_at: '2026-03-10T15:30:00.000Z',
    cost: 1,
    balance: 10,
    prizes: prizes.map((prize) => ({ ...prize, available: true })),
    tickets_only: false,
    prize_table_version: version,
    commitment: 'c'.repeat(64),
    rules_url: 'https://example.com/rules',
  });
  return gzipSync(html).length / 1024;
}

export const rows: Row[] = [
  {
    name: 'play-page',
    what: 'the largest play page, compressed',
    floor: '0',
    unit: ' KiB',
    target: { atMost: 60 },
    measure: async () => {
      const pages = (['prizewheel', 'truck', 'flight'] as const).flatMap((game) =>
        (['en', 'es'] as const).map(async (lang) => ({ game, lang, size: await pageSize(game, lang) })),
      );
      const sizes = await Promise.all(pages);
      const largest = sizes.reduce((most, one) => (one.size > most.size ? one : most));
      return { value: largest.size, detail: `${largest.game} in ${largest.lang}` };
    },
  },
];
