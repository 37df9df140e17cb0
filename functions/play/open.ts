import { page } from '../../shared/api/endpoint.ts';
import { failurePage } from '../../shared/api/failure-page.ts';
import { playRoutes } from '../../shared/api/routes/play.ts';
import { readSession } from '../../shared/games/play-sessions.ts';
import { renderPage } from './page/render.ts';
import { langOf, unknownView, viewOf } from './page/session-view.ts';

/** Returns the HTML page of a play URL: the game, the outcome, or why the URL cannot be played. */
export const handler = page(
  playRoutes['play/open'],
  async ({ path, now, acceptLanguage }) => {
    const session = await readSession(path.token);
    const view = session ? await viewOf(session, now) : unknownView(acceptLanguage, now);
    return { status: view.state === 'unknown' ? 404 : 200, ...renderPage(view) };
  },
  (acceptLanguage) => failurePage('failed', langOf(acceptLanguage)),
);
