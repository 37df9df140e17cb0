import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import { accessibleComponents, keepAccessible } from './accessible.ts';

type Parameter = { in: string; required?: boolean; example?: unknown };
type Operation = { parameters: Parameter[]; requestBody?: unknown };
type Document = {
  info: { license: { identifier?: string } };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
};

/** Loads the OpenAPI document and adapts it to the viewer. */
async function readDocument(): Promise<Document> {
  const response = await fetch('?page=openapi.json');
  const document: Document = await response.json();
  // Sends requests to the API that serves this page.
  document.servers = [{ url: location.origin + location.pathname.replace(/\/docs\/?$/, '') }];
  // The viewer would link the identifier to a public license.
  delete document.info.license.identifier;
  for (const path of Object.values(document.paths)) {
    // Browsers cannot send a body with a GET.
    delete path.get?.requestBody;
    // The viewer fills examples into the form, so optional filters would restrict the result.
    for (const { parameters } of Object.values(path)) {
      for (const parameter of parameters)
        if (parameter.in === 'query' && !parameter.required) delete parameter.example;
    }
  }
  // The viewer lists webhooks without a tag.
  document.tags = document.tags.filter(({ name }) => name !== 'events');
  return document;
}

keepAccessible(document.querySelector('#reference')!);
readDocument().then((spec) =>
  SwaggerUI({
    spec,
    dom_id: '#reference',
    plugins: [accessibleComponents],
    layout: 'ReferenceLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    // The viewer would otherwise send the document to an online validator.
    validatorUrl: null,
  }),
);
