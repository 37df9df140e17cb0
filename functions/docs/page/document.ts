export type JsonSchema = {
  $ref?: string;
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
};

type Parameter = { name: string; in: string; required?: boolean; schema: JsonSchema; example?: unknown };

export type OpenapiOperation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** The client's method for this operation, such as `tickets.credit`. Absent if the client has none. */
  'x-client-method'?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema } | undefined> };
};

/** `paths` has operations by path and lowercase method. */
export type OpenapiDocument = {
  info: { license: { identifier?: string } };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  webhooks: Record<string, Record<string, OpenapiOperation>>;
  components: { schemas: Record<string, JsonSchema> };
};
