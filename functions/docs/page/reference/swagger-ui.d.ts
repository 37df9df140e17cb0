/** The viewer of OpenAPI documents, which shows one in an element of the page. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUI(options: Record<string, unknown>): void;
}
