import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import type { OpenapiDocument } from '../document.ts';
import { accessibilityPlugin, keepAccessible } from './accessible.ts';

async function readDocument(): Promise<OpenapiDocument> {
  const response = await fetch('?page=openapi.json');
  const document: OpenapiDocument = await response.json();
  // Makes Swagger UI send its requests to the API that serves this page.
  document.servers = [{ url: location.origin + location.pathname.replace(/\/docs\/?$/, '') }];
  // Removes the license's identifier, which Swagger UI would link to a public list that lacks this license.
  delete document.info.license.identifier;
  for (const path of Object.values(document.paths)) {
    // Removes the request bodies of GET endpoints, because browsers cannot send a body with a GET.
    delete path.get?.requestBody;
    // Removes examples of optional filters. Swagger UI would fill them into the form and restrict the results.
    for (const operation of Object.values(path)) {
      for (const parameter of operation.parameters ?? [])
        if ('in' in parameter && parameter.in === 'query' && !parameter.required) delete parameter.example;
      const method = operation['x-client-method'];
      if (method) operation.description += `\n\nIn the client: \`incentives.${method}(…)\``;
    }
  }
  // Removes the tag `events`, because Swagger UI lists webhook events in a separate section without tags.
  document.tags = document.tags.filter(({ name }) => name !== 'events');
  return document;
}

// Swagger UI opens the operation in the URL's fragment only while loading, so a link to another operation must reload
// the page. When Swagger UI itself changes the fragment, it causes no `hashchange` event.
addEventListener('hashchange', () => location.reload());
keepAccessible(document.querySelector('#reference')!);
void readDocument().then((spec) =>
  SwaggerUI({
    spec,
    dom_id: '#reference',
    plugins: [accessibilityPlugin],
    layout: 'ReferenceLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    syntaxHighlight: { theme: 'idea' },
    // Prevents Swagger UI from sending the OpenAPI document to an online validator.
    validatorUrl: null,
  }),
);
