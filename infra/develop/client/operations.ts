// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document has no static type
type Any = any;
type Operation = { tag: string; name: string; method: string; path: string; operation: Any };

const otherEvent = 'OtherEvent';

const head = `// Made by "npm run client" from the OpenAPI document.
// biome-ignore-all format: generated code`;

export function operationsSource(document: Any): string {
  const operations = operationsOf(document);
  const { schemas } = document.components;
  const types = Object.entries<Any>(schemas)
    // Omits the type of unknown events, with which `type` would not tell the type of `data`; the types of queries,
    // which operations contain inline; and those of play pages, which hosts do not call.
    .filter(([name]) => !name.endsWith('Query') && !name.startsWith('Play') && name !== otherEvent)
    .map(([name, schema]) => `${commentOf(schema)}export type ${name} = ${typeOf(schema)};`);
  return `${[
    head,
    ...types,
    `/** The payload of a webhook call: one event. */\nexport type WebhookEvent = ${eventNames(document).join(' | ')};`,
    '/** The input and reply of each operation. */',
    `export type Operations = {\n${grouped(operations, (one) => typesOf(one, schemas))}\n};`,
    '/** The HTTP request of each operation. */',
    `export const operations = {\n${grouped(operations, (one) => dataOf(one, schemas))}\n} as const;`,
  ].join('\n\n')}\n`;
}

const operationsOf = (document: Any): Operation[] =>
  Object.entries<Record<string, Any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const [tag, name] = operation['x-client-method']?.split('.') ?? [];
      return name ? [{ tag, name, method: method.toUpperCase(), path, operation }] : [];
    }),
  );

function grouped(operations: Operation[], write: (one: Operation) => string): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const groupOf = (tag: string) => operations.filter((one) => one.tag === tag).map(write);
  return tags.map((tag) => `  ${tag}: {\n${groupOf(tag).join('\n')}\n  },`).join('\n');
}

const nameOf = (schema: Any): string => schema.$ref.split('/').at(-1);

const eventNames = (document: Any): string[] =>
  Object.values<Any>(document.webhooks).map(({ post }) =>
    nameOf(post.requestBody.content['application/json'].schema),
  );

const commentOf = ({ description }: Any) => (description ? `/** ${description} */\n` : '');

function typeOf(schema: Any): string {
  const { $ref, type, items, properties, anyOf } = schema;
  if ($ref) return nameOf(schema);
  if (anyOf && type === undefined)
    return anyOf
      .map(typeOf)
      .filter((name: string) => name !== otherEvent)
      .join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values) return values.map((one: unknown) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return items.anyOf ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;
  if (type === 'integer') return 'number';
  // A schema that has at most a description has no rules, so it allows every value.
  if (Object.keys(schema).every((name) => name === 'description')) return 'unknown';
  if (type === undefined) throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  if (type !== 'object') return type;
  return properties ? objectOf(properties, schema.required) : 'Record<string, unknown>';
}

function objectOf(properties: Record<string, Any>, required: string[] = []): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    const absent = optional && ' | undefined';
    return `${commentOf(schema).trim()} ${name}${optional}: ${typeOf(schema)}${absent};`.trim();
  });
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : 'Record<never, never>';
}

const bodyOf = ({ operation, method }: Operation): Any =>
  method === 'GET' ? undefined : operation.requestBody?.content['application/json'].schema;
const replyOf = ({ operation }: Operation): Any =>
  operation.responses['200'].content['application/json'].schema;

function typesOf(one: Operation, schemas: Record<string, Any>): string {
  const { name, operation } = one;
  // Omits `$ref` parameters. They are the header that requests a fault, which is a call option of every client method.
  const parameters: Any[] = operation.parameters.filter(({ $ref }: Any) => $ref === undefined);
  const parameterType = objectOf(
    Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    parameters.filter(({ required }) => required).map((parameter) => parameter.name),
  );
  const body = bodyOf(one);
  const input = [
    ...(parameters.length > 0 || !body ? [parameterType] : []),
    ...(body ? [body.$ref ? nameOf(body) : '{ payload: Record<string, unknown> }'] : []),
  ];
  const reply = nameOf(replyOf(one));
  const items = itemsOf(one, schemas);
  const item = items ? `; item: ${reply}['${items}'][number]` : '';
  const about = `${operation.summary}. ${operation.description}${operation.deprecated ? ' @deprecated' : ''}`;
  return `    /** ${about} */\n    ${name}: { input: ${input.join(' & ')}; reply: ${reply}${item} },`;
}

const queryOf = ({ operation }: Operation): string[] =>
  operation.parameters.flatMap((parameter: Any) => (parameter.in === 'query' ? parameter.name : []));

function itemsOf(one: Operation, schemas: Record<string, Any>): string | undefined {
  const query = queryOf(one);
  if (!['next_token', 'page', 'after'].some((name) => query.includes(name))) return undefined;
  const { properties } = schemas[nameOf(replyOf(one))];
  return Object.keys(properties).find((field) => properties[field].type === 'array');
}

function dataOf(one: Operation, schemas: Record<string, Any>): string {
  const { name, method, path } = one;
  const data = { method, path, query: queryOf(one), items: itemsOf(one, schemas) };
  return `    ${name}: ${JSON.stringify(data)},`;
}
