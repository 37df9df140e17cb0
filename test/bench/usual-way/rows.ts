import { type Measured, median, type Row, ratioOf, type Table, timedByTurns } from '../row.ts';
import { addUnits, noUnits } from '../units.ts';
import { byWire } from '../wire.ts';
import { type AtOnce, creditAtOnce, many, run } from './at-once.ts';
import { type FaultResult, lostAnswers, verdictOf } from './lost-answers.ts';
import { amount, callerOf, creditEvent } from './requests.ts';
import { type Side, sides } from './sides.ts';

const turns = { turns: 300, warmUp: 300 };

async function time(): Promise<Measured> {
  const { ours, usual } = await sides();
  const runOf = async (side: Side) => {
    const [call, userId] = [callerOf(side), await side.makeUser()];
    return async () => {
      const event = creditEvent(userId);
      return async () => {
        const { statusCode, body } = await call(event);
        if (statusCode !== 200) throw new Error(`${side.name}: ${statusCode} ${body}`);
      };
    };
  };
  const pairs = await timedByTurns({ ours: await runOf(ours), floor: await runOf(usual) }, turns);
  const { value, spread } = ratioOf(pairs);
  return {
    value,
    detail: `${spread}, ${median(pairs.ours).toFixed(2)} ms ÷ ${median(pairs.floor).toFixed(2)} ms`,
  };
}

/** Returns the DynamoDB calls and units that one credit of an implementation needs. */
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

async function atOnce(): Promise<Measured> {
  const { ours, usual } = await sides();
  const all: AtOnce[] = [];
  for (const keys of ['distinct', 'same'] as const) {
    for (const side of [ours, usual]) all.push(await creditAtOnce(side, keys));
  }
  const verdict = ({ state, keys }: AtOnce) => verdictOf(state, keys === 'same' ? 1 : many);
  const lines = all.map((one) => [
    `${many} credits, ${one.keys === 'same' ? 'one key' : 'keys of their own'}`,
    one.side,
    [...one.statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
    verdict(one),
    (one.calls / many).toFixed(1),
    one.ms.toFixed(0),
  ]);
  const table: Table = {
    title: `${many} concurrent credits of one user, ${amount} tickets each`,
    lines: [['', '', 'answers', 'balance', 'calls for each', 'ms until the last'], ...lines],
  };
  return {
    value: wrong(all.filter(({ side }) => side === ours.name).map(verdict)),
    detail: '',
    tables: [table],
  };
}

async function atOnceTime(): Promise<Measured> {
  const { ours, usual } = await sides();
  const ms: Record<'ours' | 'usual', number[]> = { ours: [], usual: [] };
  for (let turn = 0; turn < 5; turn++) {
    for (const [name, side] of [
      ['ours', ours],
      ['usual', usual],
    ] as const) {
      const { statuses, ms: took } = await run(side, 'distinct');
      if (statuses.get(200) !== many) throw new Error(`${side.name} did not answer all of ${many}`);
      ms[name].push(took);
    }
  }
  const [a, b] = [median(ms.ours), median(ms.usual)];
  return { value: a / b, detail: `the last after ${a.toFixed(0)} ÷ ${b.toFixed(0)} ms, medians of 5` };
}

async function faults(): Promise<Measured> {
  const { ours, usual } = await sides();
  const all: FaultResult[] = [...(await lostAnswers(ours)), ...(await lostAnswers(usual))];
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
  row('time', 'time of a credit ÷ that of the usual way', time),
  row('calls', 'round trips of a credit ÷ those of the usual way', roundTrips),
  row('units', 'write units of a credit ÷ those of the usual way', units),
  row('at-once', `wrong balances after ${many} concurrent credits`, atOnce, { target: { atMost: 0 } }),
  row(
    'at-once-time',
    `time until the last of ${many} concurrent credits ÷ that of the usual way`,
    atOnceTime,
    {
      target: { atMost: 2 },
    },
  ),
  row('lost-answers', 'wrong balances after a lost response', faults, { target: { atMost: 0 } }),
];
