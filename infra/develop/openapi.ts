import { openapiDocument } from '../../shared/api/openapi/document.ts';
import { routesOf } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';

// The document for host systems, on standard output: debug routes are no part of what they build on.
const routes = routesOf('production', allRoutes);
console.log(JSON.stringify(openapiDocument(routes, process.argv[2] ?? 'http://localhost:3000'), null, 2));
