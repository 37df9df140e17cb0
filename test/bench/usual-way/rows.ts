import type { Measured, Row } from '../row.ts';
import { addUnits, noUnits } from '../units.ts';
import { byWire } from '../wire.ts';
import { callerOf, creditEvent } from './requests.ts';
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
];
