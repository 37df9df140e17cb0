import type * as z from 'zod/mini';
import type { QueueName } from '../environment.ts';
import type { Refusal } from '../refusals.ts';
import type { Stage } from '../stage.ts';
import type { Hold } from '../vocabulary.ts';

/** The DynamoDB actions that a function may be granted on the table. */
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
 * Everything that a function may access, except its log. CDK derives the function's IAM grants from this
 * alone.
 */
export type Access = {
  table?: TableAction[];
  /** Whether it may query the index `byTime`. */
  index?: boolean;
  /** Queues to which it sends messages. */
  sends?: QueueName[];
  /** Queues whose undeliverable messages it moves to the dead-letter queue. */
  parks?: QueueName[];
  /** KMS actions on the stack's encryption key. */
  key?: ('Decrypt' | 'GenerateDataKey')[];
  /** Whether it may compute the secrets of days, from which server seeds are derived. */
  draws?: boolean;
  /** Whether its environment names the randomness beacon of queued spins. */
  beacon?: boolean;
  /** Whether it may sign books. */
  signs?: boolean;
  /** Whether its environment has the address of play URLs. */
  playUrls?: boolean;
};

type AnyObject = z.ZodMiniObject;

/**
 * The schemas of an endpoint. A route has them in a function, so that a Lambda function builds only its own.
 */
export type Schemas = {
  path?: AnyObject;
  query?: AnyObject;
  body?: AnyObject;
  reply: AnyObject;
};

/** One endpoint of the service, as data. */
export type Route<Name extends string = string, S extends Schemas = Schemas> = {
  /** Name of the route and of its file under `functions/`. Its Lambda function is named after it. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** Markdown for the reference: units, limits, and the effect of a repeated request. */
  description: string;
  schemas: () => S;
  access: Access;
  /** Further refusals. Those of its schemas, credential and path ids are derived from the route. */
  refuses?: () => Refusal[];
  /**
   * If absent, the endpoint needs an API key. `play-token`: the token in the play URL is the credential.
   * `none`: the documentation, which is open to all.
   */
  credential?: 'play-token' | 'none';
  /**
   * Holds under which it refuses requests. A suspended organization is refused all changes without being
   * listed.
   */
  holds?: readonly Hold[];
  deprecated?: boolean;
  /** If absent, the endpoint answers with JSON. */
  answers?: 'html';
  /** If absent, the endpoint exists on every stage. */
  stages?: Stage[];
  /** Whether the function gets the body as text, byte for byte, and any JSON object is valid. */
  verbatimBody?: boolean;
  /** Whether parameters may also be sent in a JSON body. The query takes precedence. */
  queryFromBody?: boolean;
  /** Whether answers are compressed for clients that accept gzip. */
  compressed?: boolean;
};

/** Returns the holds under which an endpoint refuses requests. */
export const holdCodesOf = (route: Route): Hold[] =>
  changes(route) ? ['organization_suspended', ...(route.holds ?? [])] : [];

/** Whether an endpoint can change data, as all but GET requests do. */
export const changes = ({ method }: Route): boolean => method !== 'GET';

/** Returns the endpoints of a stage. */
export const routesOf = (stage: Stage, routes: Route[]) =>
  routes.filter((route) => route.stages === undefined || route.stages.includes(stage));

/** Returns an endpoint's path with its parameters filled in, each encoded as one segment. */
export const pathTo = ({ path }: Route, parameters: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** The parsed path, query and body of an endpoint. */
export type Input<R extends Route> = {
  [part in 'path' | 'query' | 'body']: ReturnType<R['schemas']> extends {
    [p in part]: infer S extends AnyObject;
  }
    ? z.output<S>
    : Record<string, never>;
};
/** The fields of an endpoint's success answer, without `status`. */
export type Output<R extends Route> = z.input<ReturnType<R['schemas']>['reply']>;
