import { refusalsOf } from '../../../shared/api/openapi/refused.ts';
import type { Route } from '../../../shared/api/route.ts';
import { maxBodyBytes } from '../../../shared/api/schemas.ts';
import type { JsonSchema, OpenapiDocument, OpenapiOperation } from './document.ts';
import type { Guide } from './guides.ts';
import { table } from './markdown.ts';

export const errorExplanations: Record<string, [cause: string, remedy: string]> = {
  accepted_repeat_to_collect: [
    'A guest’s spins are accepted, but did not all run in time.',
    'Repeat the request to get the results.',
  ],
  book_not_found: ['The day was before your organization.', 'Ask for a later day.'],
  claim_conflict: [
    'The prize was already delivered or forfeited, so this step cannot follow.',
    'Read the prize. An operator can correct it, but not a drawing’s forfeit.',
  ],
  daily_spin_limit_reached: [
    'The user has no play left today.',
    'Offer the next play after midnight in New York.',
  ],
  day_not_closed: [
    'The day is not over or not closed yet.',
    'Ask again after 01:00 in New York on the day after it.',
  ],
  drawing_not_found: [
    'Your organization has no drawing with this id.',
    'Compare the id with those of GET /drawings.',
  ],
  external_reference_taken: [
    'Another user has this reference, or your earlier request succeeded.',
    'Look the user up by the reference.',
  ],
  forbidden: [
    'X-Organization-Id is missing, or names another organization than that of the API key.',
    'Send the id of the key’s organization.',
  ],
  game_paused: [
    'The operator has paused this game.',
    'Tell the user to come back later. The play URL stays valid.',
  ],
  idempotency_key_reused: [
    'The key or request_id was used before, with other parameters.',
    'Give each change a key of its own.',
  ],
  insufficient_entries: ['The user has fewer entries of this type than the debit.', 'Debit less.'],
  insufficient_tickets: [
    'The user has fewer tickets than the debit, or than the game costs.',
    'Debit less, or offer the user tickets.',
  ],
  internal_error: [
    'The service failed. It may have carried out the request.',
    'Report the request_id, then repeat.',
  ],
  not_found: ['The path does not exist.', 'Compare method and path with the reference.'],
  organization_suspended: [
    'The operator has suspended your organization.',
    'Ask your operator. Reads and deliveries continue.',
  ],
  outcome_unknown: [
    'The service does not know whether it carried out the request.',
    'Repeat the request with the same key.',
  ],
  play_expired: ['The play URL is older than 30 minutes.', 'Make a new one. An unplayed URL costs nothing.'],
  play_not_found: ['The play URL is incomplete, was never made, or is no longer stored.', 'Make a new one.'],
  play_voided: ['The operator has voided the play URL.', 'Make a new one.'],
  prize_not_found: ['The prize does not exist, or its user was erased.', 'Check the id.'],
  sequence_not_reached: [
    'The user has no event with this number yet.',
    'If your operator restored the database, build your ledger again.',
  ],
  too_many_requests: [
    'The stage or the database has reached a limit. Nothing was done.',
    'Repeat after Retry-After seconds, with the same key.',
  ],
  too_many_webhooks: ['The organization has as many webhooks as it can have.', 'Delete one.'],
  unauthorized: [
    'The Authorization header is missing or malformed, or the API key is unknown or revoked.',
    'Check the key. A revoked key is refused within a minute.',
  ],
  unavailable: [
    'The service is overloaded or failing, and did nothing.',
    'Repeat after Retry-After seconds, with the same key.',
  ],
  user_frozen: ['The operator has frozen this user.', 'Ask your operator.'],
  user_not_found: ['The user does not exist in your organization, or is erased.', 'Check the user_id.'],
  validation_failed: [
    'A field, the body or the URL is invalid. The message says what is wrong.',
    'Correct the request. Nothing was changed.',
  ],
  webhook_not_found: ['The webhook does not exist or was deleted.', 'List your webhooks.'],
};

function errorTable(routes: Route[]): string {
  const statuses = new Map<string, Set<number>>([['not_found', new Set([404])]]);
  for (const { code, status } of routes.flatMap(refusalsOf)) {
    statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
  }
  const rows = [...statuses].sort().map(([code, of]) => {
    const [cause, remedy] = errorExplanations[code] ?? ['', ''];
    return [`<code id="${code}">${code}</code>`, [...of].sort().join(', '), cause, remedy];
  });
  return table(['code', 'status', 'cause', 'what to do'], rows);
}

const shown = (number: number) => number.toLocaleString('en-US');

/** Describes a field's bounds. Returns undefined for a field without bounds. */
function boundsOf({ type, minimum, maximum, minLength = 0, maxLength }: JsonSchema): string | undefined {
  if (type === 'integer' && maximum !== undefined) return `${shown(minimum ?? 0)} to ${shown(maximum)}`;
  if (maxLength === undefined) return undefined;
  return `${minLength > 0 ? `${shown(minLength)} to ` : 'up to '}${shown(maxLength)} characters`;
}

function boundedFieldsOf(
  { parameters = [], requestBody }: OpenapiOperation,
  { schemas }: OpenapiDocument['components'],
) {
  const resolved = (schema: JsonSchema): JsonSchema =>
    schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1)!]!) : schema;
  const body = requestBody?.content['application/json']?.schema;
  const fields = [
    ...parameters.flatMap((one) => ('in' in one ? [[one.name, one.schema] as const] : [])),
    ...Object.entries((body && resolved(body).properties) ?? {}),
  ];
  return fields.flatMap(([field, schema]) => {
    const bounds = boundsOf(resolved(schema));
    return bounds ? [{ field, bounds }] : [];
  });
}

const linkTo = ({ tags: [tag], operationId }: OpenapiOperation, text: string) =>
  `[${text}](?page=reference#/${tag}/${operationId})`;

/** Lists the bounds of all request fields except page settings. Rows name operations if a field has several bounds. */
function limitRows({ paths, components }: OpenapiDocument): string[][] {
  const byField = new Map<string, Map<string, { tags: Set<string>; operations: string[] }>>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ''] = operation.tags;
      if (tag === 'page') continue;
      for (const { field, bounds } of boundedFieldsOf(operation, components)) {
        const ofField = byField.get(field) ?? new Map();
        const row = ofField.get(bounds) ?? { tags: new Set(), operations: [] };
        row.tags.add(tag);
        row.operations.push(linkTo(operation, `${method.toUpperCase()} ${path}`));
        byField.set(field, ofField.set(bounds, row));
      }
    }
  }
  return [...byField]
    .sort()
    .flatMap(([field, ofField]) =>
      [...ofField].map(([bounds, { tags, operations }]) => [
        `\`${field}\``,
        bounds,
        (ofField.size > 1 ? operations : [...tags]).join(', '),
      ]),
    );
}

export function errorsPage(routes: Route[], document: OpenapiDocument): Guide {
  const ofAll = [
    ['body', `${maxBodyBytes / 1024} KiB of JSON, nested up to 100 levels`, 'all'],
    ['request line and headers', '10,240 bytes together', 'all'],
    ['requests a second', '2,000 of an operation on production; 200 of an operation on staging', 'all'],
  ];
  const markdown = `# Errors and limits

Every error has a stable \`code\`. Compare \`code\` in your program; \`message\`, \`detail\` and \`request_id\` are for
people. Expect new codes: treat an unknown one by its status. [Repeat safely](repeat.md) says which requests you can
repeat.

## Errors

${errorTable(routes)}
## Limits

A field outside of its limits is a 422 \`validation_failed\`, but too large a body or headers are a 400. So are an
\`amount\` below 1, and a \`limit\` below 0 of a list with \`next_token\`. Lengths count Unicode code points. More
requests than the limit are a 429: your operator can raise it. The [reference](?page=reference#/page/pageUpdate) has
the limits of the page’s settings.

${table(['field', 'limit', 'in requests of'], [...ofAll, ...limitRows(document)])}`;
  return { page: 'errors', title: 'Errors and limits', markdown };
}
