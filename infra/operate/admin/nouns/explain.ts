import { isId, isUlid } from '../../../../shared/ids.ts';
import { isDay } from '../../../../shared/time.ts';
import { BadUsage } from '../../../common/arguments.ts';
import { Problem } from '../../../common/problem.ts';
import { command } from '../command.ts';
import { type Explained, explanationText } from '../explain/explained.ts';
import { explainDrawing } from '../explain/prizes.ts';
import {
  explainAction,
  explainEvent,
  explainOrder,
  explainOutcome,
  explainTransaction,
} from '../explain/records.ts';
import { explainErrorCode } from '../explain/refusals.ts';
import {
  explainDay,
  explainKey,
  explainOrganization,
  explainPlay,
  explainRequest,
  explainUser,
  explainWebhook,
} from '../explain/things.ts';
import { parsePlayToken } from '../plays.ts';

const byPrefix = {
  org: explainOrganization,
  usr: explainUser,
  ord: explainOrder,
  out: explainOutcome,
  txn: explainTransaction,
  evt: explainEvent,
  inv: explainEvent,
  act: explainAction,
  wh: explainWebhook,
  drw: explainDrawing,
} as const;
const prefixes = Object.keys(byPrefix) as (keyof typeof byPrefix)[];
/** API Gateway and the local stage make request ids of this form. */
const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The id in an API key's text. The secret after it is neither used nor printed. */
const keyText = /^inc_[a-z]+_([0-9A-Z]{26})_/;

async function explained(id: string, org: string | undefined, now: number): Promise<Explained | undefined> {
  const prefix = prefixes.find(
    (one) => isId(one, id.replace(/(:\d+){1,2}$/, '')) || (one === 'inv' && id.startsWith('inv_')),
  );
  if (prefix) return byPrefix[prefix](id, org, now);
  const keyId = keyText.exec(id)?.[1] ?? id;
  if (isUlid(keyId)) return explainKey(keyId, org, now);
  if (isDay(id)) return explainDay(id, org, now);
  if (requestId.test(id)) return explainRequest(id, org, now);
  const code = explainErrorCode(id);
  if (code) return code;
  return explainPlay(tokenOrThrow(id), org, now);
}

function tokenOrThrow(id: string): string {
  try {
    return parsePlayToken(id);
  } catch {
    throw new BadUsage(
      'Give the id of an organization, user, order, outcome, transaction, event, action, webhook, drawing or prize, a play URL, ' +
        'an API key or its id, a day such as 2026-01-31, a request id, or the code of an error.',
    );
  }
}

export const verbs = {
  '': command({
    effect: 'reads',
    summary:
      'Say of any id, play URL, day or error code what it is, what happened, in what state it is, why, and what to do; ' +
      'exit code 1 if an outcome is not what was drawn',
    required: { id: 'id' },
    optional: { org: 'organization id; all organizations are searched if absent' },
    positional: 'id',
    async run({ id, org }, { now }) {
      const found = await explained(id.trim(), org, now);
      if (!found)
        throw new Problem('Nothing is known of it here: it is seconds old, removed, or of another stage.');
      found.happened.sort((a, b) => a.at.localeCompare(b.at));
      const { failed = false, ...print } = found;
      return { print, text: explanationText(found), failed };
    },
  }),
};
