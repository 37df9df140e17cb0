import { pageEndpoint } from '../../shared/api/endpoint.ts';
import { failurePage } from '../../shared/api/failure-page.ts';
import { playRoutes } from '../../shared/api/routes/play.ts';
import { readPlaySession } from '../../shared/games/play-sessions.ts';
import { readPreview } from '../../shared/games/previews.ts';
import { previewView } from './page/preview-view.ts';
import { renderPlayPage } from './page/render.ts';
import { preferredLang, readSessionView, unknownPlayView } from './page/session-view.ts';

export const handler = pageEndpoint(
  playRoutes['play/open'],
  async ({ path, now, acceptLanguage }) => {
    const view = (await viewOfToken(path.token, now)) ?? unknownPlayView(acceptLanguage, now);
    return { status: view.state === 'unknown' ? 404 : 200, ...renderPlayPage(view) };
  },
  (acceptLanguage) => failurePage('failed', preferredLang(acceptLanguage)),
);

async function viewOfToken(token: string, now: number) {
  const preview = await readPreview(token);
  if (preview) return previewView(preview, now);
  const session = await readPlaySession(token);
  return session && readSessionView(session, now);
}
