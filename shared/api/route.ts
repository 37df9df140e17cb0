import type * as z from 'zod/mini';
import type { QueueName } from '../environment.ts';
import type { Refusal } from '../refusals.ts';
import type { Stage } from '../stage.ts';
import type { Hold } from '../vocabulary.ts';

/** What a function may do to the table: the DynamoDB actions its least-privilege grant is made of. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** What a function may reach beyond its log; CDK makes its least-privilege grants from this, and from nothing else. */
export type Access = {
  table?: TableAction[];
  /** Whether its queries may use the index `byTime`. */
  index?: boolean;
  /** Queues it puts messages on. */
  sends?: QueueName[];
  /** Queues on whose dead-letter queue it puts messages that it gives up. */
  parks?: QueueName[];
  /** Queues that it may have a message put on by a one-time schedule. */
  schedules?: QueueName[];
  /** What it may do with the stack's encryption key. */
  key?: ('Decrypt' | 'GenerateDataKey')[];
  /** Whether it may have the secrets of days made, from which draws follow. */
  draws?: boolean;
  /** Whether it is told of the public randomness that queued spins mix in. */
  beacon?: boolean;
  /** Whether it may sign books. */
  signs?: boolean;
  /** Whether it is told where play URLs lead. */
  playUrls?: boolean;
};

type AnyObject = z.ZodMiniObject;

/** The schemas of an endpoint; in a function, so that only the endpoint that uses them builds them. */
export type Schemas = {
  path?: AnyObject;
  query?: AnyObject;
  body?: AnyObject;
  reply: AnyObject;
};

/** One endpoint of the service, as data. */
export type Route<Name extends string = string, S extends Schemas = Schemas> = {
  /** Also the path of its file under `functions/`, and its Lambda function's name. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** What a host should know of it beyond that: units, limits, and what a repetition does. Markdown. */
  description: string;
  schemas: () => S;
  access: Access;
  /** What it refuses for reasons of its own: not by its shape, its credentials or the ids in its path. */
  refuses?: () => Refusal[];
  /**
   * If absent, the endpoint asks for an API key; the token in a play URL is a credential of its own, and the
   * documentation, which is no part of the API that it describes, is open to all.
   */
  credential?: 'play-token' | 'none';
  /** What an operator may have put in its way, besides suspending the organization, which is in the way of all changes. */
  holds?: readonly Hold[];
  /** Hosts should move to its successor. */
  deprecated?: boolean;
  /** If absent, it answers with JSON. */
  answers?: 'html';
  /** If absent, it exists on every stage. */
  stages?: Stage[];
  /** Its body is any JSON object, which its function gets as the text that was sent. */
  verbatimBody?: boolean;
  /** Its parameters may stand in a JSON body too; the query wins. */
  queryFromBody?: boolean;
  /** Its answers may be large: they go out compressed to a client that accepts it. */
  compressed?: boolean;
};

/** The codes with which an endpoint refuses what an operator has put on hold. */
export const holdCodesOf = (route: Route): Hold[] =>
  changes(route) ? ['organization_suspended', ...(route.holds ?? [])] : [];

/** Whether an endpoint changes something: those that only read are all GETs, and no others are. */
export const changes = ({ method }: Route): boolean => method !== 'GET';

/** The endpoints that exist on a stage. */
export const routesOf = (stage: Stage, routes: Route[]) =>
  routes.filter((route) => route.stages === undefined || route.stages.includes(stage));

/** The path of an endpoint with its parameters filled in, each as one segment. */
export const pathTo = ({ path }: Route, parameters: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** Parsed path, query and body of an endpoint. */
export type Input<R extends Route> = {
  [part in 'path' | 'query' | 'body']: ReturnType<R['schemas']> extends {
    [p in part]: infer S extends AnyObject;
  }
    ? z.output<S>
    : Record<string, never>;
};
/** The fields of an endpoint's success answer, `status` aside. */
export type Output<R extends Route> = z.input<ReturnType<R['schemas']>['reply']>;
