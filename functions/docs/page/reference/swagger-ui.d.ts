/** The viewer: shows an OpenAPI document in an element. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUI(options: Record<string, unknown>): void;
}
