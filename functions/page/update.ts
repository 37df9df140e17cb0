import { changePageSettings } from '../../shared/actions/change-page.ts';
import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pageSettingsOf } from '../../shared/api/page-fields.ts';
import { pageReply } from '../../shared/api/page-reply.ts';
import { pageRoutes } from '../../shared/api/routes/page.ts';

export const handler = endpoint(pageRoutes['page/update'], async (request) => {
  const { organizationId, keyId, body, now } = request;
  const page = await changePageSettings(organizationId, pageSettingsOf(body), {
    operator: `API key ${keyId}`,
    now,
  });
  return reply(pageReply(page, request));
});
