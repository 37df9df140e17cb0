import type * as z from 'zod/mini';
import type { QueueName } from '../environment.ts';
import type { Refusal } from '../refusals.ts';
import type { Stage } from '../stage.ts';
import type { Hold } from '../vocabulary.ts';

/** DynamoDB actions on the table that a route can grant to its Lambda function. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/**
 * All access of a Lambda function except its log. CDK derives IAM permissions and environment variables from
 * this type.
 */
export type Access = {
  table?: TableAction[];
  /** Whether the function may query the table's index `byTime`. */
  index?: boolean;
  /** Queues to which the function may send messages. */
  sends?: QueueName[];
  /** The function may send undeliverable messages to the dead-letter queues of these queues. */
  parks?: QueueName[];
  /**
   * KMS actions that the function may call with the stage's encryption key, for example to decrypt webhooks'
   * secrets.
   */
  key?: ('Decrypt' | 'GenerateDataKey')[];
  /** Whether the function may use the KMS key that computes days' secrets, from which server seeds are derived. */
  draws?: boolean;
  /** Whether the function may use the KMS key of seals: functions that write sealed items, or decide by them. */
  seals?: boolean;
  /** Whether the function's environment contains the configuration of the randomness beacon. */
  beacon?: boolean;
  /** Whether the function may use the KMS key that signs books. */
  signs?: boolean;
  /** Whether the function's environment contains the base URL of play URLs. */
  playUrls?: boolean;
};

type AnyObject = z.ZodMiniObject;

/** Schemas of an endpoint. Routes return them from a function: each Lambda function builds only its own. */
export type Schemas = {
  path?: AnyObject;
  query?: AnyObject;
  body?: AnyObject;
  reply: AnyObject;
};

/** An endpoint of the API, described as data. */
export type Route<Name extends string = string, S extends Schemas = Schemas> = {
  /** Name of the route, such as `tickets/credit`; also the handler's path under `functions/`. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** Markdown for the API reference. Explains units, limits and the effect of a repeated request. */
  description: string;
  schemas: () => S;
  access: Access;
  /** Returns the refusals specific to the endpoint, without those for invalid input, credentials and ids. */
  refuses?: () => Refusal[];
  /** Credential: the token of a play URL, none for public documentation, or, if absent, an API key. */
  credential?: 'play-token' | 'none';
  /**
   * Holds during which the endpoint refuses requests. `organization_suspended` always applies to endpoints
   * that change data.
   */
  holds?: readonly Hold[];
  deprecated?: boolean;
  /** Type of the response: an HTML page, or JSON if absent. */
  answers?: 'html';
  /** Stages on which the endpoint exists. If absent, the endpoint exists on all stages. */
  stages?: Stage[];
  /** If true, any JSON object is a valid body, and the handler receives the body's unchanged text too. */
  verbatimBody?: boolean;
  /** Whether a host may send query parameters in a JSON body. The query takes precedence. */
  queryFromBody?: boolean;
  /** Whether responses are compressed for clients that accept gzip. */
  compressed?: boolean;
};

/**
 * Returns the holds (set by operators) during which an endpoint refuses requests. Empty for endpoints that
 * change no data.
 */
export const holdCodesOf = (route: Route): Hold[] =>
  changes(route) ? ['organization_suspended', ...(route.holds ?? [])] : [];

/** Returns whether an endpoint changes data. All endpoints do except those with the method GET. */
export const changes = ({ method }: Route): boolean => method !== 'GET';

/** Returns the endpoints that exist on a stage. */
export const routesOf = (stage: Stage, routes: Route[]) =>
  routes.filter((route) => route.stages === undefined || route.stages.includes(stage));

/**
 * Returns an endpoint's path with the parameters inserted. Each parameter is URL-encoded and becomes one path
 * segment.
 */
export const pathTo = ({ path }: Route, parameters: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** Types of the parsed path, query and body of an endpoint. */
export type Input<R extends Route> = {
  [part in 'path' | 'query' | 'body']: ReturnType<R['schemas']> extends {
    [p in part]: infer S extends AnyObject;
  }
    ? z.output<S>
    : Record<string, never>;
};
/** Type of the fields of an endpoint's success response, without `status`. */
export type Output<R extends Route> = z.input<ReturnType<R['schemas']>['reply']>;
