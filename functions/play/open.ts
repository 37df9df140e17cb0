import { page } from '../../shared/api/endpoint.ts';
import { failurePage } from '../../shared/api/failure-page.ts';
import { playRoutes } from '../../shared/api/routes/play.ts';
import { readPlaySession } from '../../shared/games/play-sessions.ts';
import { readPreview } from '../../shared/games/previews.ts';
import { previewView } from './page/preview-view.ts';
import { renderPage } from './page/render.ts';
import { langOf, unknownView, viewOf } from './page/session-view.ts';

export const handler = page(
  playRoutes['play/open'],
  async ({ path, now, acceptLanguage }) => {
    const view = (await viewOfToken(path.token, now)) ?? unknownView(acceptLanguage, now);
    return { status: view.state === 'unknown' ? 404 : 200, ...renderPage(view) };
  },
  (acceptLanguage) => failurePage('failed', langOf(acceptLanguage)),
);

async function viewOfToken(token: string, now: number) {
  const preview = await readPreview(token);
  if (preview) return previewView(preview, now);
  const session = await readPlaySession(token);
  return session && viewOf(session, now);
}
