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
 * The document as a browser can use it: at the address it came from, without bodies that no browser sends, without
 * examples that would narrow what is tried out, without an id of the licence, which the viewer takes for that of a
 * published one, and without the tag of webhooks, since the viewer lists these by themselves.
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
    // Nothing is asked of any other site, such as whether the document is valid.
    validatorUrl: null,
  }),
);
