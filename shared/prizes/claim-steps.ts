/** States of a prize until it is in hand. Independent of where the prize was won. */
import type { ClaimRecord } from '../accounts/records.ts';
import { refusals } from '../refusals.ts';
import { dayOf } from '../time.ts';
import type { ClaimState } from '../vocabulary.ts';

export type ClaimStep = Pick<ClaimRecord, 'state' | 'reference' | 'reason' | 'delivered_on'>;
/** A prize's state, with the texts of its last step. */
export type Claim = { state: ClaimState; state_at: string } & Omit<ClaimStep, 'state'>;

/** The states that may follow each state, unless an operator corrects it. */
const following: Record<ClaimState, readonly ClaimState[]> = {
  untracked: ['held', 'delivered', 'forfeited'],
  open: ['held', 'delivered', 'forfeited'],
  held: ['open', 'held', 'delivered', 'forfeited'],
  delivered: [],
  forfeited: [],
};

/** The text that a step to each state must have. */
const required: Record<ClaimStep['state'], 'reference' | 'reason' | undefined> = {
  open: undefined,
  held: 'reason',
  delivered: 'reference',
  forfeited: 'reason',
};

/** Adds the day of a delivery, by default today. Throws a Refusal for a missing text or an impossible day. */
export function completedStep(step: ClaimStep, wonAt: string, now: number): ClaimStep {
  const { state, delivered_on } = step;
  const field = required[state];
  if (field && !step[field]) throw refusals.invalid(`${field}: Field required`);
  if (state !== 'delivered') {
    if (delivered_on !== undefined) throw refusals.invalid('delivered_on: Only a delivered prize has a day');
    return step;
  }
  const [first, last] = [dayOf(Date.parse(wonAt)), dayOf(now)];
  const day = delivered_on ?? last;
  if (day < first || day > last)
    throw refusals.invalid(`delivered_on: Input should be a day from ${first} to ${last}`);
  return { ...step, delivered_on: day };
}

/** Returns false if the step repeats the last one. Throws `claim_conflict` if it cannot follow and is no correction. */
export function isNewStep(before: Claim, step: ClaimStep, isCorrection: boolean): boolean {
  const texts = isCorrection ? allTexts : [required[step.state]];
  const isRepeated = texts.every((field) => field === undefined || before[field] === step[field]);
  if (before.state === step.state && isRepeated) return false;
  if (!isCorrection && !following[before.state].includes(step.state))
    throw refusals.claimConflict(before.state);
  return true;
}

const allTexts = ['reference', 'reason', 'delivered_on'] as const;

/** Owed: a tracked prize that is neither delivered nor forfeited. */
export const isOwed = ({ state }: Pick<Claim, 'state'>): boolean => state === 'open' || state === 'held';
