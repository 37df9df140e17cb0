import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openapiDocument } from '../../shared/api/openapi/document.ts';
import { allRoutes } from '../../shared/api/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the document has
type Any = any;

export const document: Any = openapiDocument(allRoutes, 'https://api.incentives.test');

export const operations: { path: string; method: string; operation: Any }[] = Object.entries(
  document.paths as Record<string, Record<string, Any>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Returns the part of the OpenAPI document to which a `$ref` points. Returns any other value unchanged. */
export const resolved = (part: Any): Any =>
  part?.$ref === undefined
    ? part
    : part.$ref
        .slice(2)
        .split('/')
        .reduce((found: Any, key: string) => found[key], document);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (to: typeof ajv) => void)(ajv);
ajv.addSchema(document, 'document');
const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/** Validates a value against a schema of the OpenAPI document. Returns the errors, or an empty text. */
export function faultsOf(schema: Any, value: unknown): string {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

/** Returns the bounds of each field of requests as text, such as `amount: minimum 1, maximum 100`, sorted. */
export function boundsOf(): string[] {
  const found = new Set<string>();
  const visit = (name: string, schema: Any) => {
    const { properties = {}, items, anyOf = [], allOf = [], ...own } = resolved(schema);
    const texts = bounds.flatMap((bound) => (bound in own ? `${bound} ${JSON.stringify(own[bound])}` : []));
    if (texts.length > 0) found.add(`${name}: ${texts.join(', ')}`);
    for (const [field, part] of Object.entries(properties)) visit(field, part);
    for (const part of [...anyOf, ...allOf]) visit(name, part);
    if (items) visit(`${name}[]`, items);
  };
  for (const { operation } of operations) {
    for (const parameter of operation.parameters ?? []) {
      const { name, schema } = resolved(parameter);
      visit(name, schema);
    }
    const body = operation.requestBody?.content['application/json'].schema;
    if (body) visit('body', body);
  }
  return [...found].sort();
}
