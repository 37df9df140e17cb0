import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { pageReply } from '../../shared/api/page-reply.ts';
import { pageRoutes } from '../../shared/api/routes/page.ts';
import { readPageSettings } from '../../shared/organizations/stored-page.ts';

export const handler = endpoint(pageRoutes['page/get'], async (request) =>
  reply(pageReply(await readPageSettings(request.organizationId), request)),
);
