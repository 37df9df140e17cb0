import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';

type Document = { servers: { url: string }[]; paths: Record<string, { get?: { requestBody?: unknown } }> };

/** The document as a browser can use it: at the address it came from, and without bodies that no browser sends. */
async function readDocument(): Promise<Document> {
  const response = await fetch('?page=openapi.json');
  const document: Document = await response.json();
  document.servers = [{ url: location.origin + location.pathname.replace(/\/docs\/?$/, '') }];
  for (const { get } of Object.values(document.paths)) delete get?.requestBody;
  return document;
}

readDocument().then((spec) =>
  SwaggerUI({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    // Nothing is asked of any other site, such as whether the document is valid.
    validatorUrl: null,
  }),
);
