import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import { accessibleComponents, keepAccessible } from './accessible.ts';

type Document = {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, { get?: { requestBody?: unknown } }>;
};

/**
 * The document as a browser can use it: at the address it came from, without bodies that no browser sends, and without the
 * tag of webhooks, since the viewer lists these by themselves.
 */
async function readDocument(): Promise<Document> {
  const response = await fetch('?page=openapi.json');
  const document: Document = await response.json();
  document.servers = [{ url: location.origin + location.pathname.replace(/\/docs\/?$/, '') }];
  for (const { get } of Object.values(document.paths)) delete get?.requestBody;
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
