/** Compares each function's bundle and its load with the smallest bundle, which has only DynamoDB's clients. */
import { functionNames } from '../../infra/deploy/bundle.ts';
import { minimalBaseline } from './baselines.ts';
import { baselineFor, bytesOf, fileOf } from './bundles.ts';
import { load } from './loading.ts';
import { type Measured, median, type Row, scaled } from './row.ts';

const maxRatio = 1.5;
const maxRounds = 3;
type Load = Record<'time' | 'cpu', number>;

/** Returns whether a function serves a page. Such a function's bundle contains the page. */
const isPage = (name: string) => name === 'play/open' || name === 'docs/open';

/** Compares the sizes of all bundles with the smallest. Returns the ratio of the largest that serves no page. */
async function sizes(): Promise<Measured> {
  const minimum = await bytesOf(minimalBaseline);
  const all = await Promise.all(
    functionNames().map(async (name) => {
      const bytes = await bytesOf(name);
      return { name, bytes, ratio: bytes / minimum, own: bytes / (await bytesOf(baselineFor(name))) };
    }),
  );
  const sorted = all.sort((a, b) => b.ratio - a.ratio);
  const largest = sorted.find(({ name }) => !isPage(name))!;
  const lines = [
    ['', 'KiB', '÷ minimum', '÷ its clients'],
    ...sorted.map(({ name, bytes, ratio, own }) => [name, kib(bytes), ratio.toFixed(2), own.toFixed(2)]),
  ];
  const detail = `${largest.name}: ${kib(largest.bytes)} ÷ ${kib(minimum)} KiB`;
  return { value: largest.ratio, detail, tables: [{ title: 'Bundles', lines }] };
}
const kib = (bytes: number) => String(Math.round(bytes / 1024));

/** Loads all bundles in turn, in new processes, so that other processes slow all bundles equally. */
async function loads(size: number): Promise<Measured> {
  const names = functionNames();
  const loaded = [minimalBaseline, ...names.slice(0, scaled(names.length, size))];
  const samples = new Map(loaded.map((name) => [name, [] as Load[]]));
  for (let round = 0; round < scaled(maxRounds, size); round++) {
    for (const name of round % 2 === 0 ? loaded : loaded.toReversed()) {
      samples.get(name)!.push(await load(await fileOf(name)));
    }
  }
  const [minimum, ...all] = [...samples].map(([name, each]) => {
    const middle = (of: keyof Load) => median(each.map((one) => one[of]));
    return { name, time: middle('time'), cpu: middle('cpu') };
  });
  const sorted = all.sort((a, b) => b.cpu - a.cpu);
  const lines = [
    ['', 'ms', 'CPU ms', '÷ minimum'],
    ...[minimum!, ...sorted].map(({ name, time, cpu }) => [
      name,
      time.toFixed(0),
      cpu.toFixed(0),
      (cpu / minimum!.cpu).toFixed(2),
    ]),
  ];
  const [longest] = sorted;
  return {
    value: median(all.map(({ cpu }) => cpu)) / minimum!.cpu,
    detail: `at most ${(longest!.cpu / minimum!.cpu).toFixed(2)}: ${longest!.name}`,
    tables: [{ title: 'Loads in new processes', lines }],
  };
}

const floor = "DynamoDB's clients alone, as an ES module";

export const rows: Row[] = [
  {
    name: 'bundles',
    what: 'size of the largest bundle without a page ÷ the smallest possible one',
    floor,
    target: { atMost: maxRatio },
    measure: sizes,
  },
  {
    name: 'cold-starts',
    what: "CPU to load a function's bundle ÷ the smallest possible one, median of all functions",
    floor,
    target: { atMost: maxRatio },
    measure: loads,
  },
];
