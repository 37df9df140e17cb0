/**
 * Remembers each item as it was before its texts were erased, so that rules can check the data as if nothing was
 * erased.
 */
import type { Commit, Journal, StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import { typeOf } from './item-types.ts';
import type { StepRule } from './rule.ts';

/** The fields that an erasure empties (`empty`), deletes (`gone`) or removes texts from (`other`), by item type. */
const erased: { [type in ReturnType<typeof typeOf>]?: Record<string, 'empty' | 'gone' | 'other'> } = {
  record: {
    description: 'empty',
    idempotency_key: 'empty',
    reference: 'empty',
    reason: 'empty',
    external_reference: 'gone',
  },
  action: { why: 'gone', external_reference: 'gone' },
  call: { payload: 'other' },
};

/** Returns the item's erasable fields if an erasure can explain the whole change, otherwise undefined. */
export function erasedFields(before: StoredItem, after: StoredItem): string[] | undefined {
  const fields = Object.entries(erased[typeOf(after)] ?? {});
  const names = fields.map(([name]) => name);
  const rest = (item: StoredItem) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
  const isRight = fields.every(([name, how]) => {
    if (how === 'other' || before[name] === after[name]) return true;
    return after[name] === (how === 'empty' ? '' : undefined);
  });
  return isRight && isSame(rest(before), rest(after)) ? names : undefined;
}

const nameOf = ({ pk, sk }: StoredItem) => `${pk} ${sk}`;

/** Collects the original version of each item whose texts an operator erases. */
export function trackErasedTexts() {
  const originals = new Map<string, StoredItem>();
  const applyCommit = ({ writer, changes }: Commit) => {
    if (writer.includes('/') || writer === 'ttl') return;
    for (const { before, after } of changes)
      if (before && after && erased[typeOf(after)] && !originals.has(nameOf(after)))
        originals.set(nameOf(after), before);
  };
  /** Returns the table's items and the API's responses with erased texts restored. */
  const restored = (items: Iterable<StoredItem>, journal: Journal) => ({
    items: [...items].map((item) => originals.get(nameOf(item)) ?? item),
    journal: { ...journal, exchanges: restoreAnswers(journal, originals) },
  });
  return { applyCommit, restored };
}

const callName = ({ event_id, webhook_id, attempt, timestamp, url }: Record<string, unknown>) =>
  [event_id, webhook_id, attempt, timestamp, url].join(' ');

function restoreAnswers({ exchanges }: Journal, originals: Map<string, StoredItem>) {
  if (originals.size === 0) return exchanges;
  const all = [...originals.values()];
  const records = new Map(all.map((item) => [item.transaction_id, item]));
  const calls = new Map(all.filter(({ payload }) => payload).map((call) => [callName(call), call]));
  const transaction = (row: StoredItem) => {
    const original = records.get(row.transaction_id);
    if (row.idempotency_key !== '' || !original) return row;
    return { ...row, description: original.description, idempotency_key: original.idempotency_key };
  };
  const call = (row: StoredItem) => {
    const original = calls.get(callName(row));
    return original ? { ...row, payload: JSON.parse(original.payload) } : row;
  };
  return exchanges.map((exchange) => {
    const { body } = exchange.answer ?? {};
    if (!body?.transactions && !body?.calls) return exchange;
    const rows = body.transactions
      ? { transactions: body.transactions.map(transaction) }
      : { calls: body.calls.map(call) };
    return { ...exchange, answer: { ...exchange.answer!, body: { ...body, ...rows } } };
  });
}

/** Returns a user without the fields that an erasure changes after its first write. */
function withoutNames(user: object = {}): object {
  const names = ['external_reference', 'texts_erased_at', 'text_key', 'version'];
  return Object.fromEntries(Object.entries(user).filter(([field]) => !names.includes(field)));
}

/**
 * A user is erased once, in a write that adds an action. Then one write stores when the texts were erased, and
 * another one removes the external reference and text key.
 */
export const erasedOnce: StepRule = {
  rule: 'a user is erased once and then never changes',
  start: (report) => (step) => {
    const recordedOperations = step
      .of('action')
      .flatMap(({ before, after }) => (before || !after ? [] : [after]));
    const ended = recordedOperations
      .filter(({ action }) => action === 'user_erased')
      .map(({ about }) => about.user_id);
    const ends = step.users.filter(({ user }) => user?.after?.erased_at && !user.before?.erased_at);
    if (
      !isSame(
        ended,
        ends.map(({ user }) => user!.after!.user_id),
      )
    )
      report(`the actions erase ${ended}, but the write erases ${ends.map(({ pk }) => pk)}`);
    for (const { pk, user, records } of step.users) {
      const { before, after } = user ?? {};
      if (!before?.erased_at) continue;
      if (!isSame(withoutNames(before), withoutNames(after)) || records.length > 0)
        report(`${pk} is changed by ${step.writer}`);
      const isComplete = after?.external_reference === '' && !after.text_key;
      if (!isComplete && (before.texts_erased_at || !after?.texts_erased_at))
        report(`${pk} keeps its reference or its key`);
    }
  },
};

export const erasureRules = [erasedOnce];
