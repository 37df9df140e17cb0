import type { Measured, Row, Table } from '../row.ts';
import { addUnits, noUnits } from '../units.ts';
import { byWire } from '../wire.ts';
import { type FaultResult, lostAnswers, verdictOf } from './lost-answers.ts';
import { amount, callerOf, creditEvent } from './requests.ts';
import { type Side, sides } from './sides.ts';

const taken = (side: Side) =>
  byWire(async (wire) => {
    const [call, userId] = [callerOf(side), await side.makeUser()];
    await call(creditEvent(userId));
    wire.taken();
    await call(creditEvent(userId));
    const { calls, waves } = wire.taken();
    return { calls, waves, units: calls.reduce((sum, one) => addUnits(sum, one.units), noUnits) };
  });

async function roundTrips(): Promise<Measured> {
  const { ours, usual } = await sides();
  const [a, b] = [await taken(ours), await taken(usual)];
  const words = ({ calls }: typeof a) => calls.map(({ operation }) => operation).join(', ');
  return { value: a.waves / b.waves, detail: `${words(a)} ÷ ${words(b)}` };
}

async function units(): Promise<Measured> {
  const { ours, usual } = await sides();
  const [a, b] = [(await taken(ours)).units, (await taken(usual)).units];
  const words = ({ tableWrites, indexWrites, reads }: typeof a) =>
    `${tableWrites} writes, ${indexWrites} of an index, ${reads} reads`;
  const value = (a.tableWrites + a.indexWrites) / (b.tableWrites + b.indexWrites);
  return { value, detail: `${words(a)} ÷ ${words(b)}` };
}

const wrong = (all: string[]) =>
  all.filter((verdict) => !/^right/.test(verdict) || /history/.test(verdict)).length;

async function faults(size: number): Promise<Measured> {
  const { ours, usual } = await sides();
  const all: FaultResult[] = [...(await lostAnswers(ours, size)), ...(await lostAnswers(usual, size))];
  const lines = all.map(({ side, fault, operation, answers, state }) => [
    side,
    `${fault.kind} after write ${fault.write}, ${operation}`,
    answers.join(', '),
    verdictOf(state),
  ]);
  const table: Table = {
    title: `One credit of ${amount} tickets, which the host retries until a 200`,
    lines: [['', 'what happens', 'answers', 'balance'], ...lines],
  };
  const verdicts = (name: string) =>
    wrong(all.filter(({ side }) => side === name).map(({ state }) => verdictOf(state)));
  return { value: verdicts(ours.name), detail: `the usual way: ${verdicts(usual.name)}`, tables: [table] };
}

const row = (name: string, what: string, measure: Row['measure'], more: Partial<Row> = {}): Row => ({
  name: `usual-way-${name}`,
  what,
  floor: '',
  measure,
  ...more,
});

export const rows: Row[] = [
  row('calls', 'round trips of a credit ÷ those of the usual way', roundTrips, {
    target: { atMost: 0.4 },
    isExact: true,
  }),
  row('units', 'write units of a credit ÷ those of the usual way', units, {
    target: { atMost: 1.75 },
    isExact: true,
  }),
  row('lost-answers', 'wrong balances after a lost response', faults, {
    target: { atMost: 0 },
    isExact: true,
  }),
];
