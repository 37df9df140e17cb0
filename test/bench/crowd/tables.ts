/** Formats the results of the bench with many users as tables. */
import type { Table } from '../row.ts';
import type { Midnight, Players } from './midnight.ts';
import type { Peak } from './peaks.ts';

const keysShown = 6;

/** Returns a load's tables from two runs: without DynamoDB's limits (`demand`) and with them (`limited`). */
export function peakTables(title: string, demand: Peak, limited: Peak): Table[] {
  const refusals = new Map(limited.hottest.map(({ kind, key, refused }) => [`${kind} ${key}`, refused]));
  const keys = demand.hottest.slice(0, keysShown).map(({ kind, key, units, share }) => {
    const refused = refusals.get(`${kind} ${key}`) ?? 0;
    return [kind, key, String(Math.round(units)), share.toFixed(2), String(Math.round(refused))];
  });
  const users = [demand, limited].flatMap(({ got }, index) =>
    got.map(({ what, asked, success, refused, p50, p99 }) => [
      what,
      index === 0 ? 'no' : 'yes',
      String(asked),
      success.toFixed(3),
      refused.toFixed(3),
      String(p50),
      String(p99),
    ]),
  );
  return [
    {
      title: `${title}: keys`,
      lines: [['units', 'key', 'a second', 'of its limit', 'refused with limits'], ...keys],
    },
    {
      title: `${title}: responses`,
      lines: [['what', 'limits', 'asked', 'success', '429 or 503', 'p50 ms', 'p99 ms'], ...users],
    },
  ];
}

export function midnightTables({ minutes, quiet, firstSpins }: Midnight): Table[] {
  const lineOf = ({ answers, failed, p50, p99 }: Players) => [answers, failed, p50, p99].map(String);
  const lines = minutes.map(({ spins, workers, players, hottest, refused }, index) => [
    String(index + 1),
    String(spins),
    workers.mean.toFixed(1),
    String(workers.max),
    ...lineOf(players),
    `${hottest.kind} ${hottest.key}`,
    hottest.share.toFixed(2),
    String(refused),
  ]);
  const head = ['minute', 'spins', 'workers', 'at most', 'answers', 'failed', 'p50 ms', 'p99 ms'];
  return [
    {
      title: 'Midnight by minute; minute 0 is the mean of a quiet midnight',
      lines: [
        [...head, 'hottest key', 'of its limit', 'refused'],
        ['0', '0', '0', '0', ...lineOf(quiet), '', '', ''],
        ...lines,
      ],
    },
    {
      title: 'First spin of each organization',
      lines: [
        ['organization', 'seconds after midnight'],
        ...firstSpins.map((ms, index) => [
          index === 0 ? 'the large one' : `other ${index}`,
          (ms / 1000).toFixed(1),
        ]),
      ],
    },
  ];
}
