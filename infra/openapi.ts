import { openapiDocument } from '../shared/api/openapi/document.ts';
import { allRoutes } from '../shared/api/routes.ts';
import { routesOf } from './stages.ts';

// The document for host systems, on standard output: debug routes are no part of what they build on.
const routes = routesOf('production', allRoutes);
console.log(JSON.stringify(openapiDocument(routes, process.argv[2] ?? 'http://localhost:3000'), null, 2));
