import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { eventsRoutes } from '../../shared/api/routes/events.ts';
import { readEvents } from '../../shared/webhooks/read-events.ts';

export const handler = endpoint(eventsRoutes['events/list'], async (request) => {
  const { organizationId, query, now, after, nextToken } = request;
  const { limit, ...filter } = query;
  const { events, last, isAll } = await readEvents({ organizationId, ...filter, after, limit }, now);
  return reply({ events, next: nextToken(last), is_all: isAll });
});
