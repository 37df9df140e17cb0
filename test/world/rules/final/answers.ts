/** Rules of the API's refusals. */
import { isForcedPrize } from '../item-types.ts';
import { codeOf, nameOf } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

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

export const answerRules = [invalidRequests, validRequests];
