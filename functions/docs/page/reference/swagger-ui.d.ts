/** Swagger UI: renders an OpenAPI document into an element of the page. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUI(options: Record<string, unknown>): void;
}
