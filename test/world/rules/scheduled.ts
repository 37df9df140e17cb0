/** Rules of changes of settings that operators schedule for a later time. */
import type { StoredItem } from '../journal.ts';
import { isSame } from './hashes.ts';
import type { StepRule } from './rule.ts';

type Waiting = { sequence: number; from: string; changes: Record<string, unknown>; operator: string };

const waitingIn = (organization: StoredItem | undefined): Waiting[] =>
  ((organization?.scheduled ?? []) as Waiting[]).toSorted((a, b) => a.sequence - b.sequence);

/** Returns the scheduled change that an operation applies (`changed`) or cancels (`unscheduled`). */
const doneBy = ({ action, about }: Partial<StoredItem>, waiting: Waiting[]): Waiting | undefined =>
  action === 'changed' || action === 'unscheduled'
    ? waiting.find(({ sequence }) => sequence === about?.sequence)
    : undefined;

/** Returns the scheduled changes that an organization must have after an operation. */
function waitingAfter(record: Partial<StoredItem>, waiting: Waiting[]): Waiting[] {
  const { action, about, sequence, operator } = record;
  if (action === 'scheduled')
    return [...waiting, { sequence, from: about.from, changes: about.changes, operator }];
  const done = doneBy(record, waiting);
  return waiting.filter((change) => change !== done);
}

/** Maximum delay of a scheduled change, in milliseconds. Faults may stop all sweeps for three hours. */
const maxLateMs = 3 * 3_600_000;

function* faultsOf(
  record: StoredItem,
  before: StoredItem | undefined,
  after: StoredItem,
  [earliest, latest]: [number, number],
) {
  const { action, about } = record;
  if (action === 'scheduled' && Date.parse(about.from) <= earliest)
    yield `it is scheduled for ${about.from}, which is past`;
  if (about?.sequence === undefined) return;
  const change = doneBy(record, waitingIn(before));
  if (!change) yield `the change ${about.sequence} is not pending`;
  if (!change || action !== 'changed') return;
  const from = Date.parse(change.from);
  if (from > latest) yield `the change ${change.sequence} is applied before ${change.from}`;
  if (from + maxLateMs < earliest) yield `the change ${change.sequence} is applied long after ${change.from}`;
  for (const [name, value] of Object.entries(change.changes))
    if (after[name] !== value) yield `the change ${change.sequence} leaves ${name} ${after[name]}`;
}

/** One operation adds a scheduled change. Another removes the change: applied on time, or cancelled. */
const appliedOnce: StepRule = {
  rule: 'a scheduled change is applied once, on time',
  start:
    (report, { clockErrorMs, requestMs }) =>
    (step) => {
      for (const { before, after } of step.of('organization')) {
        if (!after) continue;
        const made = step.of('operation').find((change) => !change.before && change.after?.pk === after.pk);
        const record = made?.after;
        if (!isSame(waitingAfter(record ?? {}, waitingIn(before)), waitingIn(after)))
          report(`${after.pk} has ${JSON.stringify(after.scheduled)} after ${record?.sk}`);
        const times: [number, number] = [step.at - requestMs - clockErrorMs, step.at + clockErrorMs];
        if (record)
          for (const fault of faultsOf(record, before, after, times)) report(`${record.sk}: ${fault}`);
      }
    },
};

export const scheduledRules = [appliedOnce];
