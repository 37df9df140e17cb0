/**
 * Declares the type of Swagger UI, whose package has no types. Swagger UI renders an OpenAPI document as HTML
 * in an element of the page.
 */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUI(options: Record<string, unknown>): void;
}
