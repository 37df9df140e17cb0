import type { RecordOfKind, UserRecord } from '../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../shared/actions/action-records.ts';
import { claimDeadline } from '../../../shared/games/outcomes.ts';
import { newYorkTime } from '../../../shared/time.ts';
import type { Game, PlayType, PrizeKind } from '../../../shared/vocabulary.ts';

type Kind = UserRecord['kind'];
/** An operator and the operator's reason, which is absent if it has been erased. */
export type OperatorAndReason = Pick<ActionRecord, 'operator' | 'why'>;
export type RecordContext = {
  /** The operator whose action created the record. */
  madeBy?: OperatorAndReason | undefined;
  cancelled?: { spins: number; record: OperatorAndReason } | undefined;
  playType?: PlayType | undefined;
};
const sentences: { [K in Kind]: (record: RecordOfKind<K>, related: RecordContext) => string } = {
  tickets: (record, related) => posted(record, 'ticket', related),
  entries: (record, related) => posted(record, `${record.entry_type} entry`, related),
  outcomes: played,
  orders: ordered,
  claims: claimed,
};

export const recordSentence = <K extends Kind>(
  record: RecordOfKind<K>,
  related: RecordContext = {},
): string => sentences[record.kind as K](record, related);

type Action = Pick<ActionRecord, 'operator' | 'action' | 'why'>;
export const actionSentence = ({ operator, action, why }: Action): string =>
  `${operator === 'schedule' ? 'As scheduled' : operator}: ${action.replaceAll('_', ' ')}${reasonOf(why)}.`;

function ordered(
  { num_of_spins, run, due_day }: RecordOfKind<'orders'>,
  { cancelled }: RecordContext,
): string {
  const spins = counted(num_of_spins, 'free spin');
  const isGuest = run === 'at_once';
  if (cancelled) {
    const { operator, why } = cancelled.record;
    const part = cancelled.spins === num_of_spins ? 'all' : `the last ${cancelled.spins}`;
    const request = isGuest ? `asked for ${spins} of a guest` : `queued ${spins}`;
    return `The host ${request}. ${operator} cancelled ${part} of them${reasonOf(why)}.`;
  }
  if (isGuest) return `The host had ${spins} run at once, for a guest.`;
  return `The host queued ${spins}, to run at midnight in New York as ${due_day} begins.`;
}

function claimed(record: RecordOfKind<'claims'>): string {
  const { operator, prize, state, reference, reason, delivered_on, correction } = record;
  const [kind, amount] = Object.entries(prize)[0] as [PrizeKind, number | string];
  const name = typeof amount === 'string' ? amount : prizeText(kind, amount);
  const said = [
    delivered_on && `on ${delivered_on}`,
    reference && `reference ${reference}`,
    reason && `“${reason}”`,
  ];
  const more = said.filter(Boolean).join(', ');
  const verb = correction ? 'corrected the state of the prize' : 'set the prize';
  return `${operator} ${verb} ${name} to ${state}${more && `: ${more}`}.`;
}

const reasonOf = (why: string | undefined) => (why === undefined ? '' : `, “${why}”`);

function posted(
  record: RecordOfKind<'tickets' | 'entries'>,
  unit: string,
  { madeBy, playType }: RecordContext,
): string {
  const { amount, balance_after, description, outcome_id, action_id, drawing_id } = record;
  const moved = counted(Math.abs(amount), unit);
  const balance = `The balance was ${counted(balance_after, unit)} after it.`;
  if (outcome_id !== undefined) {
    const by = playType === 'amoe' ? 'A free spin' : playType ? 'A play' : 'A play or free spin';
    return `${by} (${outcome_id}) ${amount < 0 ? 'cost' : 'won'} ${moved}. ${balance}`;
  }
  if (action_id !== undefined) {
    const { operator = 'An operator', why } = madeBy ?? {};
    return `${operator} ${amount < 0 ? 'took' : 'added'} ${moved}${reasonOf(why)}. ${balance}`;
  }
  if (drawing_id !== undefined) {
    return `${amount < 0 ? 'A drawing used up' : 'A drawing that was called off gave back'} ${moved}. ${balance}`;
  }
  const quote = description ? `, “${description}”` : '';
  return `The host ${amount < 0 ? 'debited' : 'credited'} ${moved}${quote}. ${balance}`;
}

const gameNames: Record<Game, string> = {
  prizewheel: 'the prize wheel',
  truck: 'the truck',
  flight: 'the flight',
};

function played(outcome: RecordOfKind<'outcomes'>): string {
  const { game, play_type, debug, cost, budgets } = outcome;
  const [kind, amount] = Object.entries(outcome.prize)[0] as [PrizeKind, number];
  const play = play_type === 'amoe' ? `A free spin of ${gameNames[game]}` : `A play of ${gameNames[game]}`;
  const paid = cost > 0 ? ` for ${counted(cost, 'ticket')}` : '';
  const outside = budgets?.outside ? ' Only tickets could be won, outside the promotion.' : '';
  const by = claimDeadline(outcome);
  const claim = by === undefined ? '' : ` It must be claimed by ${newYorkTime(Date.parse(by))}.`;
  const test = debug ? ' It was a test play.' : '';
  return `${play}${paid} won ${prizeText(kind, amount)}.${outside}${claim}${test}`;
}

const prizeNames: Record<Exclude<PrizeKind, 'cash_usd'>, string> = {
  entry_truck: 'truck entry',
  entry_flight: 'flight entry',
  prize_money_transfer: 'free money transfer',
  prize_cash_back: 'cash back',
  prize_streaming: 'streaming pass',
  prize_imt: 'international top-up',
  prize_gift_card: 'gift card',
  prize_phone_accessory: 'phone accessory',
  prize_merchandise: 'merchandise',
  tickets: 'ticket',
};
/** Kinds whose amount is a quantity, such as USD, and not a count. */
const uncounted = [
  'prize_cash_back',
  'prize_imt',
  'prize_merchandise',
  'prize_money_transfer',
  'prize_streaming',
];

function prizeText(kind: PrizeKind, amount: number): string {
  if (kind === 'cash_usd') return `$${amount.toLocaleString('en-US')} in cash`;
  const name = prizeNames[kind];
  if (!uncounted.includes(kind)) return counted(amount, name);
  return amount === 1 ? name : `${name} (${amount.toLocaleString('en-US')})`;
}

function counted(count: number, unit: string): string {
  const plural = unit.endsWith('y') && !unit.endsWith('ay') ? `${unit.slice(0, -1)}ies` : `${unit}s`;
  return `${count.toLocaleString('en-US')} ${count === 1 ? unit : plural}`;
}
