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

/**
 * Loads the document and adapts it to the viewer: this page's address as the server, no bodies of GETs, which browsers do
 * not send, no examples that would restrict the form, no license id, which the viewer links to a public license, and no
 * tag for webhooks, which the viewer lists itself.
 */
async function readDocument(): Promise<Document> {
  const response = await fetch('?page=openapi.json');
  const document: Document = await response.json();
  document.servers = [{ url: location.origin + location.pathname.replace(/\/docs\/?$/, '') }];
  delete document.info.license.identifier;
  for (const path of Object.values(document.paths)) {
    delete path.get?.requestBody;
    const parameters = Object.values(path).flatMap((operation) => operation.parameters);
    for (const one of parameters) if (one.in === 'query' && !one.required) delete one.example;
  }
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
