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

/** Everything a function may access beyond its log. CDK makes its grants from this alone. */
export type Access = {
  table?: TableAction[];
  /** Whether its queries may read the index `byTime`. */
  index?: boolean;
  /** Queues it sends messages to. */
  sends?: QueueName[];
  /** Queues to whose dead-letter queue it sends messages that it gives up. */
  parks?: QueueName[];
  /** Queues that it may have a message put on by a one-time schedule. */
  schedules?: QueueName[];
  /** KMS actions on the stack's encryption key. */
  key?: ('Decrypt' | 'GenerateDataKey')[];
  /** Whether it may compute the day's secrets, from which draws follow. */
  draws?: boolean;
  /** Whether its environment names the beacon whose randomness queued spins mix in. */
  beacon?: boolean;
  /** Whether it may sign books. */
  signs?: boolean;
  /** Whether its environment has the address of play URLs. */
  playUrls?: boolean;
};

type AnyObject = z.ZodMiniObject;

/** The schemas of an endpoint. A route holds them in a function, so that each endpoint builds only its own. */
export type Schemas = {
  path?: AnyObject;
  query?: AnyObject;
  body?: AnyObject;
  reply: AnyObject;
};

/** One endpoint of the service, as data. */
export type Route<Name extends string = string, S extends Schemas = Schemas> = {
  /** Name of the route, of its file under `functions/`, and of its Lambda function. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** Markdown for hosts: units, limits, and the effect of a repetition. */
  description: string;
  schemas: () => S;
  access: Access;
  /** Refusals beyond those of its schemas, credentials and path ids. */
  refuses?: () => Refusal[];
  /**
   * If absent, the endpoint needs an API key. `play-token`: the token in the play URL is the credential. `none`: the
   * documentation, which is open to all.
   */
  credential?: 'play-token' | 'none';
  /** Holds that refuse it, besides a suspended organization, which refuses every change. */
  holds?: readonly Hold[];
  /** Whether hosts should move to its successor. */
  deprecated?: boolean;
  /** If absent, it answers with JSON. */
  answers?: 'html';
  /** If absent, it exists on every stage. */
  stages?: Stage[];
  /** Whether its function gets the body's text as it was sent. The body is any JSON object. */
  verbatimBody?: boolean;
  /** Whether its parameters may also come in a JSON body; the query wins. */
  queryFromBody?: boolean;
  /** Whether its answers are compressed for clients that accept it. */
  compressed?: boolean;
};

/** Returns the codes of the holds that an endpoint refuses with. */
export const holdCodesOf = (route: Route): Hold[] =>
  changes(route) ? ['organization_suspended', ...(route.holds ?? [])] : [];

/** Whether an endpoint changes anything: exactly the GETs only read. */
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
