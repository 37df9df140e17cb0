import { openapiDocument } from '../../shared/api/openapi/document.ts';
import { routesOf } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';

// Prints the OpenAPI document for hosts. Omits debug routes, which production lacks.
const routes = routesOf('production', allRoutes);
console.log(JSON.stringify(openapiDocument(routes, process.argv[2] ?? 'http://localhost:3000'), null, 2));
