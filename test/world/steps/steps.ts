/**
 * `npm run simulate -- --steps`: every flow at every step. Each flow runs once without trouble, to see the calls that it
 * makes, and then once for each of these calls and each trouble that can befall it there.
 */
import type { Call, Fate } from '../aws.ts';
import type { Bundles } from '../bundles.ts';
import { runWorld } from '../run.ts';
import { type Flow, flows } from './flows.ts';
import { live } from './scene.ts';

/** What befalls a call: the service fails before it does anything, the answer is lost, the function dies before or after. */
export const fates = ['failed', 'answerLost', 'diesBefore', 'diesAfter'] as const satisfies Fate[];

/** A step of a flow with what befell it there, and the rule that was broken, if one was. */
export type Tried = { flow: string; step: string; fate: Fate; broken?: string | undefined };

/** A day without a change of clocks, ten minutes before midnight in New York. */
const start = Date.parse('2026-06-10T03:50:00Z');

/** Tries flows (all whose names contain a text) at every step; tells of each as it is done. */
export async function tryAllSteps(
  bundles: Bundles,
  only: string,
  told: (tried: Tried) => void,
): Promise<Tried[]> {
  const all: Tried[] = [];
  for (const [name, flow] of Object.entries(flows)) {
    if (!name.includes(only)) continue;
    const steps: string[] = [];
    await tryFlow(flow, bundles, (call) => void (isStep(call) && steps.push(nameOf(call))));
    for (const [index, step] of steps.entries()) {
      for (const fate of fates) {
        let count = 0;
        const strikes = (call: Call) => isStep(call) && count++ === index;
        const broken = await tryFlow(flow, bundles, (call) => (strikes(call) ? fate : undefined));
        const tried = { flow: name, step, fate, broken };
        all.push(tried);
        told(tried);
      }
    }
  }
  return all;
}

const nameOf = ({ caller, operation }: Call) => `${caller?.function.name} ${operation}`;

/** Whether a call is part of a flow: what schedules do every quarter of an hour, to find nothing, is part of none. */
const isStep = (call: Call) => !nameOf(call).match(/^events\/(check-reports|start-spin-run Query)/);

/** Runs a flow in a calm world, with what is to befall its calls. Returns what was broken. */
async function tryFlow(
  flow: Flow,
  bundles: Bundles,
  befall: (call: Call) => Fate | undefined | void,
): Promise<string | undefined> {
  let isActing = false;
  const { violations } = await runWorld({
    seed: 1,
    bundles,
    start,
    days: 0,
    rates: {},
    befall: (call) => (isActing ? (befall(call) ?? undefined) : undefined),
    inhabit: (api) =>
      live(api, flow, () => {
        isActing = true;
      }),
  });
  const [first] = violations;
  return first && `${first.rule}: ${first.detail}`;
}

/** The table of flows and steps, in Markdown: how often something was tried at each step, and how often it broke a rule. */
export function tableOf(all: Tried[]): string {
  const rows = Object.entries(Object.groupBy(all, ({ flow }) => flow)).map(([flow, tried = []]) => {
    const steps = tried.length / fates.length;
    return `| ${flow} | ${steps} | ${tried.length} | ${tried.filter(({ broken }) => broken).length} |`;
  });
  return ['| flow | steps | tried | broken |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
