/** Types for Swagger UI, whose package has none. Swagger UI renders an OpenAPI document as HTML. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUI(options: Record<string, unknown>): void;
}
