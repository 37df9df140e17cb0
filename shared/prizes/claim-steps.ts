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

/** Throws a Refusal for a missing text or an impossible day. */
export function requirePossible(step: ClaimStep, wonAt: string, now: number): void {
  const { state, delivered_on: day } = step;
  const field = required[state];
  if (field && !step[field]) throw refusals.invalid(`${field}: Field required`);
  if (day === undefined) return;
  if (state !== 'delivered') throw refusals.invalid('delivered_on: Only a delivered prize has a day');
  const [first, last] = [dayOf(Date.parse(wonAt)), dayOf(now)];
  if (day < first || day > last)
    throw refusals.invalid(`delivered_on: Input should be a day from ${first} to ${last}`);
}

/**
 * Adds the day of a delivery: by default the recorded day, or today. Returns undefined if the step repeats the last
 * one. Throws `claim_conflict` if it cannot follow and is no correction.
 */
export function nextStep(before: Claim, asked: ClaimStep, isCorrection: boolean, now: number) {
  const step = { ...asked };
  if (step.state === 'delivered') step.delivered_on ??= before.delivered_on ?? dayOf(now);
  const texts: (keyof ClaimStep)[] = isCorrection
    ? ['reference', 'reason']
    : [required[step.state] ?? 'state'];
  const compared = [...texts, 'state', 'delivered_on'] as const;
  if (compared.every((field) => before[field] === step[field])) return undefined;
  if (!isCorrection && !following[before.state].includes(step.state))
    throw refusals.claimConflict(before.state);
  return step;
}

/** Owed: a tracked prize that is neither delivered nor forfeited. */
export const isOwed = ({ state }: Pick<Claim, 'state'>): boolean => state === 'open' || state === 'held';
