import { page } from '../../shared/api/endpoint.ts';
import { routes } from '../../shared/api/routes.ts';
import { readSession } from '../../shared/games/play-sessions.ts';
import { renderPage } from './page/render.ts';
import { unknownView, viewOf } from './page/session-view.ts';

/** Answers the page of a play URL: to play it, what it came to, or why it is no good. */
export const handler = page(routes['play/open'], async ({ path, now, acceptLanguage }) => {
  const session = await readSession(path.token);
  const view = session ? await viewOf(session, now) : unknownView(acceptLanguage, now);
  return { status: session ? 200 : 404, ...renderPage(view) };
});
