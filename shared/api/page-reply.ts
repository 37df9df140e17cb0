import { previewsOf, previewToken } from '../games/previews.ts';
import type { PageSettings } from '../organizations/page-settings.ts';
import { pageFieldsOf } from './page-fields.ts';
import { pathTo } from './route.ts';
import { playRoutes } from './routes/play.ts';

type Requested = { organizationId: string; tokenSecret: string; playBaseUrl: string };

export const pageReply = (page: PageSettings, { organizationId, tokenSecret, playBaseUrl }: Requested) => ({
  ...pageFieldsOf(page),
  preview_urls: previewsOf(organizationId).map((preview) => ({
    game: preview.game,
    lang: preview.lang,
    url: playBaseUrl + pathTo(playRoutes['play/open'], { token: previewToken(preview, tokenSecret) }),
  })),
});
