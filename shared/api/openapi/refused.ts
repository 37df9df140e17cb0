import { faultRefusals, type Refusal, refusals } from '../../refusals.ts';
import { errorAnswer } from '../error-answer.ts';
import { holdsOf, type Route } from '../route.ts';
import { headerRef } from './info.ts';
import { schemaRef } from './json-schemas.ts';

const ofGateway = [
  refusals.invalid('Bad Request', 400),
  refusals.invalid('Request body must be at most 10485760 bytes', 413),
  faultRefusals.tooManyRequests(),
];
const ofKey = [refusals.unauthorized(), refusals.forbidden()];
const ofService = [refusals.internal(), faultRefusals.unavailable(), faultRefusals.outcomeUnknown()];

const ofIds: Record<string, Refusal> = {
  user_id: refusals.userNotFound(),
  webhook_id: refusals.webhookNotFound(),
  drawing_id: refusals.drawingNotFound(),
};

export function refusalsOf(route: Route): Refusal[] {
  const { path, query, body } = route.schemas();
  const parameters = Object.keys({ ...path?.shape, ...query?.shape }).flatMap((name) => ofIds[name] ?? []);
  return [
    ...ofGateway,
    ...(route.credential ? [] : ofKey),
    ...parameters,
    ...(body || query ? [refusals.invalid('<field>: Input should be a valid string')] : []),
    ...(body?.shape.idempotency_key ? [refusals.idempotencyKeyReused()] : []),
    ...holdsOf(route).map((code) => refusals.onHold(code)),
    ...(route.refuses?.() ?? []),
    ...ofService,
  ];
}

export const refusalCodesOf = (routes: Route[]): string[] =>
  [...new Set([...routes.flatMap(refusalsOf), refusals.notFound()].map(({ code }) => code))].sort();

type Responses = Record<string, object>;

export function refusalResponses(route: Route, shared: Responses): Responses {
  const byStatus = Map.groupBy(refusalsOf(route), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, known]) => {
        const form = formOf(route, status);
        const name = `${status}-${codesIn(known).join('-')}${form === 'json' ? '' : `-${form}`}`;
        shared[name] ??= responseOf(known, form);
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
  );
}

const codesIn = (known: Refusal[]) => [...new Set(known.map(({ code }) => code))];

type Form = 'json' | 'page' | 'either';

function formOf(route: Route, status: number): Form {
  if (route.answers === 'html' && [404, 500].includes(status)) return 'page';
  // Play routes also exist at API URLs, where API Gateway responds with JSON.
  return route.credential === 'play-token' && ofGatewayAtPlayUrls.has(status) ? 'either' : 'json';
}

const ofGatewayAtPlayUrls = new Set([404, 503, ...ofGateway.map(({ status }) => status)]);

function responseOf(known: Refusal[], form: Form) {
  const later = known.some(({ headers }) => headers['retry-after']);
  const examples = Object.fromEntries(known.map((refusal) => [refusal.code, { value: exampleOf(refusal) }]));
  const json = { 'application/json': { schema: schemaRef('ErrorReply'), examples } };
  return {
    description: known.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
    headers: {
      'x-request-id': headerRef('RequestId'),
      ...(later ? { 'retry-after': headerRef('RetryAfter') } : {}),
    },
    content: { ...(form === 'json' ? {} : page), ...(form === 'page' ? {} : json) },
  };
}

const page = { 'text/html': { schema: { type: 'string' } } };

const exampleOf = (refusal: Refusal): unknown =>
  JSON.parse(errorAnswer(refusal, '4f1c2d9e-7a35-4b0e-9d51-0c6f2a8b7e13').body);
