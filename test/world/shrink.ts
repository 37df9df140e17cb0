/** Shrinks a failing run: fewer days, users and faults. */
import { troubleNames } from './faults.ts';
import { type Run, type RunOptions, runWorld } from './run.ts';

/**
 * Returns the smallest run that still breaks the same rule, found before `deadline` (of `performance.now()`).
 * Every change reshuffles the rest of a run, so a smaller run may pass by chance.
 */
export async function shrink(run: Run, deadline: number): Promise<Run> {
  let least = run;
  for (;;) {
    const smaller = await firstThatBreaks(least, deadline);
    if (!smaller) return least;
    least = smaller;
  }
}

async function firstThatBreaks({ options, violations, brokenOnDay }: Run, deadline: number) {
  const rule = violations[0]?.rule;
  for (const less of smallerThan(options, brokenOnDay ?? options.days)) {
    if (performance.now() > deadline) return undefined;
    const tried = await runWorld({ ...options, line: undefined, progress: undefined, ...less });
    if (tried.violations[0]?.rule === rule) return tried;
  }
  return undefined;
}

type Less = Partial<RunOptions>;

function* smallerThan({ days, life = {}, rates }: Run['options'], brokenOnDay: number): Generator<Less> {
  for (const fewer of new Set([Math.ceil(brokenOnDay), Math.ceil(days / 2)])) {
    if (fewer < days) yield { days: fewer };
  }
  const { users = 1, organizations = 1 } = life;
  if (users > 1) yield { life: { ...life, users: Math.ceil(users / 4) } };
  if (organizations > 1) yield { life: { ...life, organizations: 1 } };
  const kept = troubleNames.filter((name) => rates[name]);
  const only = (names: typeof kept): Less => ({
    rates: Object.fromEntries(names.map((name) => [name, rates[name]])),
  });
  if (kept.length > 0) yield only([]);
  if (kept.length > 2) {
    yield only(kept.slice(kept.length / 2));
    yield only(kept.slice(0, kept.length / 2));
  }
  for (const name of kept) yield only(kept.filter((other) => other !== name));
}
