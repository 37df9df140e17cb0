/** Rules of the API's refusals and of the headers of its responses. */
import type { Exchange } from '../../journal.ts';
import { isSame } from '../hashes.ts';
import { isForcedPrize } from '../item-types.ts';
import { codeOf, nameOf, succeeded } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

/** Returns whether an object has all required fields in `fields`, and no fields that `fields` does not list. */
function hasFields(value: object, fields: string): boolean {
  const names = fields.split(' ').filter((name) => name !== '');
  const known = names.map((name) => name.replace('?', ''));
  const isPresent = (name: string) =>
    name.endsWith('?') || (value as Record<string, unknown>)[name] !== undefined;
  return names.every(isPresent) && Object.keys(value).every((name) => known.includes(name));
}

/** The API's error codes by HTTP status. */
const codes: Record<number, string[]> = {
  400: ['validation_failed', 'insufficient_tickets', 'insufficient_entries'],
  401: ['unauthorized'],
  403: ['forbidden', 'organization_suspended', 'user_frozen'],
  404: ['user_not_found', 'webhook_not_found', 'not_found', 'play_not_found'],
  409: [
    'external_reference_taken',
    'insufficient_tickets',
    'daily_spin_limit_reached',
    'too_many_webhooks',
    'game_paused',
  ],
  410: ['play_expired', 'play_voided'],
  413: ['validation_failed'],
  422: ['validation_failed', 'idempotency_key_reused'],
  429: ['too_many_requests'],
  503: ['unavailable', 'outcome_unknown', 'accepted_repeat_to_collect'],
};

/** Returns whether a response is an HTML page: a play page, or a spin's failure page. */
const isPage = (exchange: Exchange): boolean =>
  exchange.endpoint === 'play/open' ||
  (exchange.endpoint === 'play/spin' &&
    !succeeded(exchange) &&
    String(exchange.answer!.body).startsWith('<!doctype html>'));

/** A refusal has a status and an error code in `codes`. A temporary refusal has `Retry-After`. */
const refusals: EndRule = {
  rule: 'a refusal has a code of the contract',
  check(world, report) {
    for (const exchange of world.journal.exchanges) {
      const { answer } = exchange;
      if (!answer || succeeded(exchange)) continue;
      const { status, body, headers } = answer;
      const canPass = status === 429 || status === 503;
      if (canPass && headers['retry-after'] === undefined) report(`${nameOf(exchange)} has no Retry-After`);
      if (isPage(exchange)) {
        if (status !== 404 && !canPass) report(`${nameOf(exchange)} is not a page`);
        continue;
      }
      const isKnown = codes[status]?.includes(body?.code);
      const hasAll = typeof body === 'object' && hasFields(body, 'status message code detail? request_id');
      if (!isKnown || !hasAll || body.status !== 'error' || typeof body.message !== 'string')
        report(`${nameOf(exchange)} is answered ${JSON.stringify(body)}`);
    }
  },
};

/** Every response has a content type for JSON or HTML, forbids caching, and has a request id. */
const answerHeaders: EndRule = {
  rule: 'an answer has the headers of the contract',
  check(world, report) {
    for (const exchange of world.journal.exchanges) {
      if (!exchange.answer) continue;
      const { 'content-type': type, 'cache-control': kept, 'x-request-id': id } = exchange.answer.headers;
      const expected = isPage(exchange) ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
      const isType = isSame(type, expected);
      if (!isType || kept !== 'no-store' || id === undefined)
        report(`${nameOf(exchange)}: ${type}, ${kept}, ${id}`);
    }
  },
};

/** A deliberately invalid request gets a 4xx, or a 503 if the service is unavailable. */
const invalidRequests: EndRule = {
  rule: 'an invalid request is refused',
  check(world, report) {
    for (const exchange of world.journal.exchanges) {
      const { mistake, answer } = exchange;
      if (mistake === undefined || !answer) continue;
      const isRefused = answer.status >= 400 && (answer.status < 500 || answer.status === 503);
      if (!isRefused) report(`${nameOf(exchange)}: ${mistake}`);
    }
  },
};

/** Error codes for a malformed request, wrong credentials or an unknown endpoint. */
const formErrorCodes = new Set(['validation_failed', 'unauthorized', 'forbidden', 'not_found']);
const temporaryErrorCodes = new Set([
  'too_many_requests',
  'unavailable',
  'outcome_unknown',
  'accepted_repeat_to_collect',
]);

/** Valid requests get no error in `formErrorCodes`. Without faults, they get an answer, and no temporary error. */
const validRequests: EndRule = {
  rule: 'a valid request is not refused',
  check(world, report) {
    for (const exchange of world.journal.exchanges) {
      const { mistake, answer, sentAt } = exchange;
      // A forced prize may be refused, because the prize table may have no such prize.
      if (mistake !== undefined || isForcedPrize(exchange.body?.result)) continue;
      const code = codeOf(exchange);
      const isFaultFree = sentAt >= world.faultFreeFrom;
      const isLost = isFaultFree && !answer;
      if (isLost || formErrorCodes.has(code!) || (isFaultFree && temporaryErrorCodes.has(code!)))
        report(nameOf(exchange));
    }
  },
};

export const answerRules = [refusals, answerHeaders, invalidRequests, validRequests];
