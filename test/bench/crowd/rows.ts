/** Rows for one large organization: 10,000 requests a second, and a midnight with a million free spins. */
import { loadBundles } from '../../world/bundles.ts';
import { type Row, scaled } from '../row.ts';
import { runClosing } from './closing.ts';
import { type Midnight, runMidnight } from './midnight.ts';
import { type Load, loads, runPeak } from './peaks.ts';
import { midnightTables, peakTables } from './tables.ts';

const rate = 10_000;
const spins = 1_000_000;

let loading: ReturnType<typeof loadBundles> | undefined;
/** Builds the world's bundles at the first call. Later calls return the same bundles. */
export const bundles = () => {
  loading ??= loadBundles();
  return loading;
};

/** Returns the load to simulate: a few unscaled requests at the smallest size, otherwise a part of all requests. */
function loadOf(load: Load, size: number, isLimited: boolean): { rate: number; part: number } {
  if (size === 0) return { rate: 20, part: 1 };
  if (!isLimited) return { rate, part: size };
  // Limited runs have a tenth of the load, except for calls, whose concurrency limit cannot be scaled.
  return load === 'calls' ? { rate: rate * size, part: 1 } : { rate, part: 0.1 * size };
}

const peakRows: Row[] = (Object.keys(loads) as Load[]).map(
  (load): Row => ({
    name: `peaks-${load}`,
    what: `${rate} ${load} a second of one organization: hottest key ÷ its limit`,
    floor: '',
    target: { atMost: 1 },
    isLong: true,
    async measure(size) {
      const options = { bundles: await bundles() };
      const run = (isLimited: boolean) =>
        runPeak(load, { ...options, ...loadOf(load, size, isLimited), isLimited });
      const [demand, limited] = [await run(false), await run(true)];
      const hottest = demand.hottest[0]!;
      return {
        value: hottest.share,
        detail: `${hottest.kind} ${hottest.key}, ${demand.instances} instances`,
        tables: peakTables(load, demand, limited),
      };
    },
  }),
);

const midnightRow: Row = {
  name: 'midnight',
  what: 'minutes to run a million queued spins of one organization, with a cash limit of 1,000 USD a day',
  floor: '',
  unit: ' min',
  isLong: true,
  async measure(size) {
    const crowd = {
      spins: scaled(spins, size, 100),
      cashUsd: 1000,
      spinsOfOthers: scaled(200, size, 20),
      plays: Math.max(3 * size, 0.2),
    };
    const options = { bundles: await bundles(), ...crowd, maxMinutes: 600 };
    const midnight = await runMidnight(options);
    const { ordered, ran, repeated, open } = midnight;
    if (ran !== ordered || repeated + open > 0)
      throw new Error(`not each spin ran once: ${summaryOf(midnight)}`);
    return { value: midnight.minutes.length, detail: summaryOf(midnight), tables: midnightTables(midnight) };
  },
};

const closingRow: Row = {
  name: 'closing',
  what: 'minutes to close a drawing with a million entrants of one organization, beside its players',
  floor: '',
  unit: ' min',
  target: { atMost: 60 },
  isLong: true,
  async measure(size) {
    const entrants = scaled(1_000_000, size, 100);
    const closing = { bundles: await bundles(), entrants, plays: Math.max(3 * size, 0.2) };
    const { closed, drawn, quiet, busy, hottest } = await runClosing(closing);
    const players = `players' p99 is ${(busy.p99 / quiet.p99).toFixed(2)} times that before midnight`;
    const key = `${hottest.kind} ${hottest.key} at ${hottest.share.toFixed(2)} of its limit`;
    return { value: closed, detail: `${entrants} entrants, drawn in ${drawn} min; ${players}; ${key}` };
  },
};

function summaryOf({ minutes, quiet, ordered, ran, repeated, open }: Midnight): string {
  const worst = Math.max(...minutes.map(({ players }) => players.p99));
  return (
    `${ran} of ${ordered} spins ran, ${repeated} of them again; ${open} orders are open; ` +
    `players' worst p99 is ${(worst / quiet.p99).toFixed(2)} times that of a quiet night`
  );
}

/** The bench's slow rows, with many users. At full size, they run only if the command line names them. */
export const rows: Row[] = [...peakRows, midnightRow, closingRow];
