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
 * Access of a Lambda function, except to its log. CDK derives the function's IAM permissions and environment
 * variables from these fields.
 */
export type Access = {
  table?: TableAction[];
  /** Whether the function may query the table's index `byTime`. */
  index?: boolean;
  /** Queues to which the function may send messages. */
  sends?: QueueName[];
  /** Queues whose undeliverable messages the function may send to the dead-letter queue. */
  parks?: QueueName[];
  /**
   * KMS actions that the function may call with the stage's encryption key, for example to decrypt webhooks'
   * secrets.
   */
  key?: ('Decrypt' | 'GenerateDataKey')[];
  /** Whether the function may use the KMS key that computes days' secrets, from which server seeds are derived. */
  draws?: boolean;
  /** Whether the function's environment contains the stage's timestamp authorities. */
  timestamps?: boolean;
  /** Whether the function may use the KMS key that signs books. */
  signs?: boolean;
  /** Whether the function's environment contains the base URL of play URLs. */
  playUrls?: boolean;
};

type AnyObject = z.ZodMiniObject;

/** Schemas of an endpoint. A route makes them in a function, so that a Lambda function builds only its own. */
export type Schemas = {
  path?: AnyObject;
  query?: AnyObject;
  body?: AnyObject;
  reply: AnyObject;
};

/** An endpoint of the API, described as data. */
export type Route<Name extends string = string, S extends Schemas = Schemas> = {
  /** Name of the route, such as `tickets/credit`, and path of its handler under `functions/`. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** Markdown for the API reference. Explains units, limits and the effect of a repeated request. */
  description: string;
  schemas: () => S;
  access: Access;
  /** Returns the endpoint's own refusals, without those for invalid input, credentials and ids. */
  refuses?: () => Refusal[];
  /** Absent if requests need an API key. `play-token`: the token of a play URL. `none`: public documentation. */
  credential?: 'play-token' | 'none';
  /** Holds, besides `organization_suspended`, during which an endpoint that changes data refuses requests. */
  holds?: readonly Hold[];
  deprecated?: boolean;
  /** `html` for an HTML page. Absent for JSON. */
  answers?: 'html';
  /** Stages on which the endpoint exists. Absent for all stages. */
  stages?: Stage[];
  /** Whether any JSON object is a valid body. The handler then also receives the body's unchanged text. */
  verbatimBody?: boolean;
  /** Whether a host may send query parameters in a JSON body. Parameters in the query take precedence. */
  queryFromBody?: boolean;
  /** Whether responses are compressed for clients that accept gzip. */
  compressed?: boolean;
};

/** Returns the holds during which an endpoint refuses requests: none if the endpoint changes no data. */
export const holdCodesOf = (route: Route): Hold[] =>
  changes(route) ? ['organization_suspended', ...(route.holds ?? [])] : [];

/** Returns whether an endpoint changes data: its method is not GET. */
export const changes = ({ method }: Route): boolean => method !== 'GET';

/** Returns the HTTP methods of an endpoint. Pages also allow HEAD, because link previews and browsers send it. */
export const methodsOf = ({ method, answers }: Route): string[] =>
  answers === 'html' ? [method, 'HEAD'] : [method];

/** Returns the endpoints that exist on a stage. */
export const routesOf = (stage: Stage, routes: Route[]) =>
  routes.filter((route) => route.stages === undefined || route.stages.includes(stage));

/** Fills in the parameters of an endpoint's path. URL-encodes each parameter, so that it stays one path segment. */
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
