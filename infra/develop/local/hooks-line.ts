import { styleText } from 'node:util';
import { spelledOut } from '../../../shared/spelled-out.ts';
import type { EventType } from '../../../shared/vocabulary.ts';

/** A webhook call that `npm run hooks` has received. */
export type ReceivedCall = {
  at: Date;
  id: string;
  /** Error message if the call's signature is wrong; undefined if the signature is right. */
  signatureError: string | undefined;
  /** True if a call with the same id was received earlier. */
  isRepeat: boolean;
  status: number;
  payload: unknown;
};

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const colors = {
  outcome: 'magenta',
  balance_updated: 'cyan',
  cash_won: 'green',
  prize_won: 'yellow',
} as const satisfies Record<EventType, string>;

export function lineOf({ at, id, signatureError, isRepeat, status, ...call }: ReceivedCall): string {
  const payload = plainOf(call.payload);
  const { type, data } = fieldsOf(payload);
  const name = typeof type === 'string' ? type : 'invoke';
  const color = colors[name as keyof typeof colors] ?? 'white';
  return [
    styleText('dim', at.toTimeString().slice(0, 8)),
    signatureError === undefined ? styleText('green', '✓ signed') : styleText('red', '✗ NOT SIGNED'),
    styleText(color, name.padEnd(15)),
    summaryOf(name, fieldsOf(data), payload),
    status === 200 ? '' : styleText('red', `responded ${status}`),
    isRepeat ? styleText('yellow', 'repeat') : '',
    styleText('dim', spelledOut(id)),
    signatureError === undefined ? '' : styleText('red', signatureError),
  ]
    .filter((part) => part !== '')
    .join('  ');
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'string') return spelledOut(value);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [spelledOut(name), plainOf(field)]));
}

function summaryOf(name: string, data: Fields, payload: unknown): string {
  const user = styleText('dim', String(data.external_reference ?? ''));
  if (name === 'balance_updated') {
    const amount = Number(data.amount);
    const change = `${amount < 0 ? '−' : '+'}${Math.abs(amount)} ${data.balance_type}`;
    return `${styleText('bold', change)} → ${data.new_balance}  ${user}  ${data.description ?? ''}`.trimEnd();
  }
  if (name === 'outcome') return `${data.game} ${data.play_type}: ${prizeOf(data.prize)}  ${user}`;
  if (name === 'cash_won') return `${styleText('bold', `$${data.cash_usd}`)}  ${user}`;
  if (name === 'prize_won') return `${styleText('bold', prizeOf(data.prize))}  ${user}`;
  const text = JSON.stringify(payload);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

const prizeOf = (prize: unknown) =>
  Object.entries(fieldsOf(prize))
    .map(([name, value]) => `${name.replace(/^prize_/, '').replaceAll('_', ' ')} ${value}`)
    .join(', ') || 'nothing';
