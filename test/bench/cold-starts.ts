/** Compares each function's bundle size and load time with the baseline, a bundle of only DynamoDB's clients. */
import type { Metafile } from 'esbuild';
import { functionNames } from '../../infra/deploy/bundle.ts';
import { minimalBaseline } from './baselines.ts';
import { baselineFor, bundles, bytesOf, fileOf } from './bundles.ts';
import { load } from './loading.ts';
import { type Measured, median, type Row } from './row.ts';

/**
 * Labels of bundle parts that the baseline lacks, with path patterns. A file counts for the first label that matches.
 */
const partPatterns = {
  'play page': /page-asset|functions\/play\/page\//,
  "the beacon's curve": /@noble\//,
  'SQS client': /@aws-sdk\/client-sqs/,
  'schemas (Zod)': /\/zod\//,
  'own code': /^(functions|shared)\/|\/(@middy|ulid)\//,
};

const maxRatio = 1.5;
const rounds = 7;
type Load = Record<'time' | 'cpu', number>;

/**
 * Loads all bundles in turn, several times, so that other processes slow all bundles equally. Returns each bundle's
 * median times.
 */
async function loads(): Promise<Map<string, Load>> {
  const names = [minimalBaseline, ...functionNames()];
  const samples = new Map(names.map((name) => [name, [] as Load[]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      samples.get(name)!.push(await load(await fileOf(name)));
    }
  }
  const middle = (all: Load[], of: keyof Load) => median(all.map((one) => one[of]));
  return new Map(
    [...samples].map(([name, all]) => [name, { time: middle(all, 'time'), cpu: middle(all, 'cpu') }]),
  );
}

/** Returns as text which parts make a function's bundle larger than the baseline, with their sizes in KiB. */
function reasonOf({ outputs }: Metafile, name: string): string {
  const [, { inputs }] = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.js`))!;
  const bytes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const [whose] = Object.entries(partPatterns).find(([, form]) => form.test(path)) ?? [];
    if (whose) bytes.set(whose, (bytes.get(whose) ?? 0) + bytesInOutput);
  }
  const parts = [...bytes].sort(([, a], [, b]) => b - a).filter(([, size]) => size >= 1024);
  return parts.map(([whose, size]) => `${whose} ${Math.round(size / 1024)}`).join(', ');
}

async function coldStarts(): Promise<Measured> {
  const { functions } = await bundles();
  const loaded = await loads();
  const floor = { bytes: await bytesOf(minimalBaseline), ...loaded.get(minimalBaseline)! };
  const measured = await Promise.all(
    functionNames().map(async (name) => {
      const bytes = await bytesOf(name);
      const { time, cpu } = loaded.get(name)!;
      const ratios = [bytes / floor.bytes, time / floor.time, cpu / floor.cpu];
      return { name, bytes, own: bytes / (await bytesOf(baselineFor(name))), time, cpu, ratios };
    }),
  );
  const sorted = measured.sort((a, b) => b.ratios[0]! - a.ratios[0]!);
  const above = sorted.filter(({ ratios }) => ratios.some((ratio) => ratio > maxRatio));
  const kib = (bytes: number) => String(Math.round(bytes / 1024));
  const lines = [
    ['', 'KiB', '÷ minimum', '÷ its clients', 'ms', '÷ minimum', 'CPU ms', '÷ minimum'],
    ['minimum', kib(floor.bytes), '1', '', floor.time.toFixed(0), '1', floor.cpu.toFixed(0), '1'],
    ...sorted.map(({ name, bytes, own, time, cpu, ratios: [size, long, busy] }) => [
      name,
      kib(bytes),
      size!.toFixed(2),
      own.toFixed(2),
      time.toFixed(0),
      long!.toFixed(2),
      cpu.toFixed(0),
      busy!.toFixed(2),
    ]),
  ];
  const reasons = [
    ['', "contents beyond DynamoDB's clients, in KiB"],
    ...above.map(({ name }) => [name, reasonOf(functions, name)]),
  ];
  return {
    value: above.length,
    detail: `${rounds} loads of each`,
    tables: [
      { title: 'Bundles, and their load in new processes', lines },
      { title: `Functions above ${maxRatio}`, lines: reasons },
    ],
  };
}

export const rows: Row[] = [
  {
    name: 'cold-starts',
    what: `functions whose bundle, load time or load CPU exceeds ${maxRatio} times the minimum`,
    floor: "DynamoDB's clients alone, as an ES module",
    target: { atMost: 0 },
    measure: coldStarts,
  },
];
