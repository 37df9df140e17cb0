/** `npm run openapi`: prints the OpenAPI document of a stage. */
import { openapiDocument } from '../../shared/api/openapi/document.ts';
import { routesOf } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { type Stage, stages } from '../../shared/stage.ts';
import { argumentsOf, BadUsage, optionsOrUsage } from '../common/arguments.ts';

const usage = `npm run -s openapi -- [--stage ${stages.join('|')}] [<address of the API>]`;
const { values, positionals } = optionsOrUsage(usage, options);
const routes = routesOf(values.stage as Stage, allRoutes);
const omitted = allRoutes.filter((route) => !routes.includes(route) && route.credential !== 'none');
if (omitted.length > 0) {
  const paths = omitted.map(({ method, path }) => `${method} ${path}`).join(', ');
  console.error(`The document leaves out what ${values.stage} does not have: ${paths}.`);
  console.error('Use --stage staging to include them.');
}
console.log(JSON.stringify(openapiDocument(routes, positionals[0] ?? 'http://localhost:3000'), null, 2));

function options() {
  const parsed = argumentsOf({
    options: { stage: { type: 'string', default: 'production' } },
    allowPositionals: true,
  });
  const { stage } = parsed.values;
  if (stages.includes(stage as Stage)) return parsed;
  throw new BadUsage(`--stage is ${JSON.stringify(stage)}, and must be ${stages.join(', ')}.`);
}
