/** Bench rows for one organization: 10,000 requests a second, and a midnight with a million free spins. */
import { loadBundles } from '../../world/bundles.ts';
import type { Row } from '../row.ts';
import { type Midnight, runMidnight } from './midnight.ts';
import { type Load, loads, runPeak } from './peaks.ts';
import { midnightTables, peakTables } from './tables.ts';

/**
 * Size of the load. `rate` is in requests per second. A run in which DynamoDB throttles nothing simulates the fraction
 * `part` of the load; a run with throttling uses `partWithLimits`.
 */
export type Size = { rate: number; part: number; spins: number };

let loading: ReturnType<typeof loadBundles> | undefined;
const bundles = () => {
  loading ??= loadBundles();
  return loading;
};

/**
 * Simulated fraction of each load if DynamoDB's limits apply. It is 1 for `calls`, because the concurrency limit of the
 * worker that sends webhooks cannot be scaled.
 */
const partWithLimits: Record<Load, number> = { credits: 0.1, plays: 0.1, orders: 0.1, calls: 1 };

/** Returns the bench's slow rows, with many users. They run only if the command line names them. */
export const rowsOf = ({ rate, part, spins }: Size): Row[] => [...peakRows(rate, part), midnightRow(spins)];

const peakRows = (rate: number, part: number): Row[] =>
  (Object.keys(loads) as Load[]).flatMap((load) =>
    (load === 'plays' ? [1, 16] : [1]).map(
      (chains): Row => ({
        name: chains === 1 ? `peaks-${load}` : `peaks-${load}-${chains}`,
        what: `${rate} ${load} a second of one organization, with ${chains} cash chains: hottest key ÷ its limit`,
        floor: '',
        target: { atMost: 1 },
        isLong: true,
        async measure() {
          const options = { bundles: await bundles(), rate, chains };
          const demand = await runPeak(load, { ...options, part, isLimited: false });
          const limited = await runPeak(load, { ...options, part: partWithLimits[load], isLimited: true });
          const [hottest] = demand.hottest;
          return {
            value: hottest?.share ?? 0,
            detail: `${hottest?.kind} ${hottest?.key}, ${demand.instances} instances`,
            tables: peakTables(`${load}, ${chains} chains`, demand, limited),
          };
        },
      }),
    ),
  );

const midnightRow = (spins: number): Row => ({
  name: 'midnight',
  what: `minutes to run ${spins} queued spins of one organization`,
  floor: '',
  unit: ' min',
  isLong: true,
  async measure() {
    const crowd = { spins, chains: 16, spinsOfOthers: 200, plays: 3 };
    const options = { bundles: await bundles(), ...crowd, maxMinutes: 600 };
    const midnight = await runMidnight(options);
    return { value: midnight.minutes.length, detail: summaryOf(midnight), tables: midnightTables(midnight) };
  },
});

function summaryOf({ minutes, quiet, ordered, ran, repeated, open }: Midnight): string {
  const worst = Math.max(...minutes.map(({ players }) => players.p99));
  return (
    `${ran} of ${ordered} spins ran, ${repeated} of them again; ${open} orders are open; ` +
    `players' worst p99 is ${(worst / quiet.p99).toFixed(2)} times that of a quiet night`
  );
}
