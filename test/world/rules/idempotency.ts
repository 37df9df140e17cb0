/** Rules of the items that store idempotency keys with their replies. */
import type { StoredItem } from '../journal.ts';
import { ulidIn } from './days-and-ulids.ts';
import { sha256 } from './hashes.ts';
import { accountOf } from './item-types.ts';
import type { ReportViolation, StepRule } from './rule.ts';
import type { UserStep } from './step.ts';

/** Returns the resource in an idempotency key's sort key: `spins` for orders, otherwise the record's kind. */
const resourceOf = ({ kind }: StoredItem): string => (kind === 'orders' ? 'spins' : kind);

type Effect = { sk: string; isReplyOf: (reply: StoredItem) => boolean };

/** Returns the sort key of each record's idempotency item, and a function that checks the item's reply. */
const effectsOf = ({ user, records }: UserStep): Effect[] =>
  records
    .filter(({ idempotency_key }) => idempotency_key !== undefined)
    .map((record) => ({
      sk: `IDEM#${resourceOf(record)}#${sha256(record.idempotency_key)}`,
      isReplyOf: (reply: StoredItem) => {
        if (record.kind !== 'orders')
          return (
            reply.transaction_id === record.transaction_id &&
            reply.sequence === record.event_sequence &&
            reply.balance === user?.after?.balances[accountOf(record)]
          );
        if (record.run === 'queued') return reply.total_queued_spins === user?.after?.queued_spins;
        return String(reply) === ulidIn(record.order_id);
      },
    }));

/** A transaction or order is written together with the host's idempotency key, whose item also stores the reply. */
export const storedWithEffect: StepRule = {
  rule: 'an idempotency key is stored with its effect',
  start: (report) => (step) => {
    for (const user of step.users) checkKeys(user, (detail) => report(`${user.pk}: ${detail}`));
  },
};

function checkKeys(user: UserStep, report: ReportViolation) {
  const effects = effectsOf(user);
  for (const { sk, reply } of user.idempotency) {
    if (sk.startsWith('IDEM#adjustments#')) {
      if (!user.records.some((record) => isAdjustment(record, reply)))
        report(`${sk} has no matching adjustment`);
      continue;
    }
    const mine = effects.filter((effect) => effect.sk === sk);
    if (mine.length !== 1) report(`${sk} comes with ${mine.length} effects`);
    else if (!mine[0]!.isReplyOf(reply)) report(`${sk} has a reply that does not match its effect`);
  }
  for (const { sk } of effects)
    if (!user.idempotency.some((item) => item.sk === sk)) report(`an effect of ${sk} comes without the key`);
}

/** Compares ids and balances, because an adjustment's record does not contain the operator's idempotency key. */
const isAdjustment = (record: StoredItem, reply: StoredItem) =>
  record.transaction_id === reply.transaction_id &&
  record.action_id === reply.action_id &&
  record.balance_after === reply.balance;

export const idempotencyRules = [storedWithEffect];
