/** Shrinks a failing run: looks for a run with fewer days, users and faults that still fails. */
import { faultNames } from './faults.ts';
import { type Run, type RunOptions, runWorld } from './run.ts';

/** Returns the smallest run found that breaks the same rule. `deadline` is a value of `performance.now()`. */
export async function shrink(run: Run, deadline: number): Promise<Run> {
  let smallest = run;
  for (;;) {
    const smaller = await firstThatFails(smallest, deadline);
    if (!smaller) return smallest;
    smallest = smaller;
  }
}

async function firstThatFails({ options, violations, brokenOnDay }: Run, deadline: number) {
  const rule = violations[0]?.rule;
  for (const smaller of smallerThan(options, brokenOnDay ?? options.days)) {
    if (performance.now() > deadline) return undefined;
    const tried = await runWorld({ ...options, line: undefined, progress: undefined, ...smaller });
    if (tried.violations[0]?.rule === rule) return tried;
  }
  return undefined;
}

type SmallerOptions = Partial<RunOptions>;

function* smallerThan(
  { days, workload = {}, rates }: Run['options'],
  brokenOnDay: number,
): Generator<SmallerOptions> {
  for (const fewer of new Set([Math.ceil(brokenOnDay), Math.ceil(days / 2)])) {
    if (fewer < days) yield { days: fewer };
  }
  const { users = 1, organizations = 1 } = workload;
  if (users > 1) yield { workload: { ...workload, users: Math.ceil(users / 4) } };
  if (organizations > 1) yield { workload: { ...workload, organizations: 1 } };
  const kept = faultNames.filter((name) => rates[name]);
  const only = (names: typeof kept): SmallerOptions => ({
    rates: Object.fromEntries(names.map((name) => [name, rates[name]])),
  });
  if (kept.length > 0) yield only([]);
  if (kept.length > 2) {
    yield only(kept.slice(kept.length / 2));
    yield only(kept.slice(0, kept.length / 2));
  }
  for (const name of kept) yield only(kept.filter((other) => other !== name));
}
