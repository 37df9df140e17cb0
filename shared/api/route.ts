import type * as z from 'zod/mini';
import type { QueueName } from '../environment.ts';
import type { Refusal } from '../refusals.ts';
import type { Stage } from '../stage.ts';
import type { Hold } from '../vocabulary.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** Access of a Lambda function, except to its log. */
export type Access = {
  table?: TableAction[];
  index?: boolean;
  sends?: QueueName[];
  /** Queues whose undeliverable messages the function may send to the dead-letter queue. */
  parks?: QueueName[];
  /**
   * KMS actions that the function may call with the stage's encryption key, for example to decrypt webhooks'
   * secrets.
   */
  key?: ('Decrypt' | 'GenerateDataKey')[];
  draws?: boolean;
  timestamps?: boolean;
  signs?: boolean;
  playUrls?: boolean;
};

type AnyObject = z.ZodMiniObject;

/** A route creates its schemas in a function, so that a Lambda function builds only its own schemas. */
export type RouteSchemas = {
  path?: AnyObject;
  query?: AnyObject;
  body?: AnyObject;
  reply: AnyObject;
};

export type Route<Name extends string = string, S extends RouteSchemas = RouteSchemas> = {
  /** Name of the route, such as `tickets/credit`, and path of its handler under `functions/`. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** Explains units, limits and the effect of a repeated request. */
  description: string;
  schemas: () => S;
  access: Access;
  refuses?: () => Refusal[];
  /** Absent if requests need an API key. `play-token`: the token of a play URL. `none`: public documentation. */
  credential?: 'play-token' | 'none';
  /** Holds, besides `organization_suspended`, during which an endpoint that changes data refuses requests. */
  holds?: readonly Hold[];
  deprecated?: boolean;
  /** `html` if the response is an HTML page instead of JSON. */
  answers?: 'html';
  stages?: Stage[];
  /** The handler then also receives the body's unchanged text. */
  verbatimBody?: boolean;
  queryFromBody?: boolean;
  compressed?: boolean;
};

/** Returns the holds during which an endpoint refuses requests: none if the endpoint changes no data. */
export const holdsOf = (route: Route): Hold[] =>
  changesData(route) ? ['organization_suspended', ...(route.holds ?? [])] : [];

export const changesData = ({ method }: Route): boolean => method !== 'GET';

/** Pages also allow HEAD, because link previews and browsers send it. */
export const methodsOf = ({ method, answers }: Route): string[] =>
  answers === 'html' ? [method, 'HEAD'] : [method];

export const routesInStage = (stage: Stage, routes: Route[]) =>
  routes.filter((route) => route.stages === undefined || route.stages.includes(stage));

/** URL-encodes each parameter, so that it stays one path segment. */
export const pathTo = ({ path }: Route, parameters: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

export type RouteInput<R extends Route> = {
  [part in 'path' | 'query' | 'body']: ReturnType<R['schemas']> extends {
    [p in part]: infer S extends AnyObject;
  }
    ? z.output<S>
    : Record<string, never>;
};
/** Type of the fields of an endpoint's success response, without `status`. */
export type RouteReply<R extends Route> = z.input<ReturnType<R['schemas']>['reply']>;
