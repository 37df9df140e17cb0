/** Rules of the fields and headers of the API's responses. */
import { prizeKinds, restrictions } from '../../../../shared/vocabulary.ts';
import type { Exchange } from '../../journal.ts';
import { isSame } from '../hashes.ts';
import { isForcedPrize } from '../item-types.ts';
import { codeOf, nameOf, succeeded } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

const outcome = 'id user_id play_type prize timestamp result_effective_date';
const transaction = 'transaction_id idempotency_key? outcome_id? amount description date_created';
const made = 'webhook_id callback_url secret_key event';
const webhook = `${made} failing_since? disabled_at? disabled_reason?`;
const paging = 'total_count page page_size total_pages';
const eligibility = 'game playable free_playable cost restrictions holds';
const page =
  'return_url frame_origins rules_url_en rules_url_es brand_name brand_logo brand_accent brand_accent_text ' +
  'brand_background brand_text';
const call =
  'timestamp url payload webhook_id event_id event_type attempt response_status? duration_ms error?';

type Shape = { fields: string; rows?: [name: string, fields: string] };
const shape = (fields: string, rows?: Shape['rows']): Shape => ({ fields, ...(rows ? { rows } : {}) });

/**
 * The fields in the body of each endpoint's successful response, except `status`. A question mark marks an
 * optional field.
 */
const shapes: Record<Exchange['endpoint'], Shape> = {
  'users/create': shape('user_id date_created'),
  'users/find': shape('user_id external_reference date_created'),
  'users/get': shape('user_id external_reference date_created'),
  'users/summary': shape(
    'user_id external_reference sequence balances plays_left plays_reset_at queued_spins wins',
    ['games', eligibility],
  ),
  'users/update': shape('user_id date_created'),
  'tickets/credit': shape('user_id new_ticket_balance transaction_id sequence'),
  'tickets/debit': shape('user_id new_ticket_balance transaction_id sequence'),
  'tickets/history': shape('limit next_token', ['transactions', transaction]),
  'tickets/balance': shape('balance sequence'),
  'entries/credit': shape('user_id type new_entry_balance transaction_id sequence'),
  'entries/debit': shape('user_id type new_entry_balance transaction_id sequence'),
  'amoe/queue': shape('total_queued_spins'),
  'amoe/guest-queue': shape('total_queued_spins'),
  'amoe/guest-play': shape('', ['items', outcome]),
  'games/play': shape('url lang expiry_time playable restrictions'),
  'games/history': shape('next_token', ['items', outcome]),
  'games/check-eligibility': shape('playable restrictions holds', ['games', eligibility]),
  'play/open': shape(''),
  'docs/open': shape(''),
  'play/spin': shape('outcome fairness'),
  'page/get': shape(page, ['preview_urls', 'game lang url']),
  'page/update': shape(page, ['preview_urls', 'game lang url']),
  'debug/play': shape('url lang result expiry_time'),
  'debug/daily-cash-limit': shape('cash_limit'),
  'debug/daily-spin-limit': shape('on'),
  'debug/spin-run': shape('started'),
  'webhooks/create': shape(made),
  'webhooks/list': shape('next_token', ['webhooks', `${webhook} receives`]),
  'webhooks/get': shape(webhook),
  'webhooks/update': shape(made),
  'webhooks/delete': shape('webhook_id'),
  'webhooks/invoke': shape(''),
  'events/list': shape('next is_all', ['events', 'id type timestamp sequence data']),
  'webhooks/history': shape('next_token limit is_all', ['calls', call]),
  'reports/outcomes': shape(paging, [
    'items',
    'id user_id prize timestamp game_status result_effective_date',
  ]),
  'reports/tickets': shape(paging, ['transactions', `${transaction} user_id result_effective_date`]),
  'reports/entries': shape(paging, [
    'transactions',
    `${transaction} user_id result_effective_date entry_type`,
  ]),
};

/** Returns whether an object has all required fields in `fields`, and no fields that `fields` does not list. */
function hasFields(value: object, fields: string): boolean {
  const names = fields.split(' ').filter((name) => name !== '');
  const known = names.map((name) => name.replace('?', ''));
  const isPresent = (name: string) =>
    name.endsWith('?') || (value as Record<string, unknown>)[name] !== undefined;
  return names.every(isPresent) && Object.keys(value).every((name) => known.includes(name));
}

/** Returns whether a prize has one known kind and a valid amount: positive for tickets and cash, otherwise 1. */
function isPrize(prize: Record<string, unknown>): boolean {
  const [[kind, amount] = [], ...others] = Object.entries(prize);
  const isKind = prizeKinds.some((known) => known === kind);
  const isMany = kind === 'tickets' || kind === 'cash_usd';
  return isKind && others.length === 0 && (isMany ? Number(amount) > 0 : amount === 1);
}

/** A successful response and its rows have exactly the fields in `shapes`. All prizes and restrictions are valid. */
const successFields: EndRule = {
  rule: 'a success has exactly the fields of the contract',
  check(world, report) {
    for (const exchange of world.journal.exchanges.filter(succeeded)) {
      if (exchange.endpoint === 'play/open') continue;
      const { fields, rows: [name, rowFields] = [] } = shapes[exchange.endpoint];
      const { body } = exchange.answer!;
      const rows: { prize?: Record<string, unknown> }[] = Array.isArray(body[name ?? '']) ? body[name!] : [];
      const isWhole = hasFields(body, `status ${fields} ${name ?? ''}`) && body.status === 'success';
      const areWhole = rows.every((row) => hasFields(row, rowFields!));
      const prizes = [...rows, body.outcome].flatMap((row) => row?.prize ?? []);
      const areKnown = (body.restrictions ?? []).every((one: string) =>
        restrictions.some((known) => known === one),
      );
      if (!isWhole || !areWhole || !prizes.every(isPrize) || !areKnown)
        report(`${nameOf(exchange)} is answered ${JSON.stringify(body).slice(0, 300)}`);
    }
  },
};

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

export const answerRules = [successFields, refusals, answerHeaders, invalidRequests, validRequests];
