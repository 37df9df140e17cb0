/**
 * `npm run simulate -- --steps`: every flow at every step. Each flow runs once without trouble, to see the
 * calls that it makes, and then once for each of these calls and each trouble that can befall it there.
 */
import type { Call, Fate } from '../aws.ts';
import type { Bundles } from '../bundles.ts';
import { runWorld } from '../run.ts';
import type { Flow } from './flows.ts';
import { live } from './scene.ts';

/**
 * What befalls a call: the service fails before it does anything, the answer is lost, the function dies
 * before or after.
 */
export const fates = ['failed', 'answerLost', 'diesBefore', 'diesAfter'] as const satisfies Fate[];

/** What became of a flow. */
export type Seen = {
  /** The calls that it makes if all goes well. */
  calls: string[];
  /** At how many of them something is to be tried. */
  steps: number;
  /** How often something was. */
  tried: number;
  /** The rules that were broken, and by what. */
  broken: { step: string; fate: Fate | 'no trouble'; rule: string }[];
};

/** A day without a change of clocks, ten minutes before midnight in New York. */
const start = Date.parse('2026-06-10T03:50:00Z');
const quarterOfAnHour = 15 * 60_000;
/** How often the service's clients send a call. */
const attempts = 3;
// Of more calls of one kind these come first: the others, but for the last, are for further batches or retries.
const mostOfAKind = 2;

/**
 * Runs a flow without trouble, and then with each of some fates at every step; tells how many of how many
 * runs are done.
 */
export async function tryAtEveryStep(
  flow: Flow,
  bundles: Bundles,
  { fates, told }: { fates: readonly Fate[]; told: (count: number, most: number) => void },
): Promise<Seen> {
  const made: Call[] = [];
  const calm = await tryFlow(flow, bundles, (call) => {
    made.push(call);
    return undefined;
  });
  const broken: Seen['broken'] = calm ? [{ step: 'every step', fate: 'no trouble', rule: calm }] : [];
  const calls = made.flatMap((call, index) => (isIdle(call, made.slice(index + 1)) ? [] : [{ call, index }]));
  const steps = Object.values(Object.groupBy(calls, ({ call }) => nameOf(call))).flatMap((same = []) =>
    same.filter((_, index) => index < mostOfAKind || index === same.length - 1),
  );
  let count = 0;
  for (const { call, index } of steps) {
    for (const fate of fates) {
      const rule = await tryStep(flow, bundles, { step: nameOf(call), index, fate });
      if (rule) broken.push({ step: nameOf(call), fate, rule });
      told(++count, steps.length * fates.length);
    }
  }
  return { calls: calls.map(({ call }) => nameOf(call)), steps: steps.length, tried: count, broken };
}

/**
 * Runs all flows at once, each in an organization of its own, and asks nothing in the end. Returns which functions made
 * calls, and what was broken.
 */
export async function tryAllAtOnce(
  flows: Flow[],
  bundles: Bundles,
): Promise<{ functions: string[]; broken: string | undefined }> {
  const functions = new Set<string>();
  const befall: Befall = ({ caller }) => {
    if (caller) functions.add(caller.function.name);
    return undefined;
  };
  const broken = await tryFlows(flows, bundles, { befall, questioned: false });
  return { functions: [...functions].sort(), broken };
}

const askedBy = ({ caller, operation, input }: Call) => `${caller?.id} ${operation} ${JSON.stringify(input)}`;

const nameOf = ({ caller, operation }: Call) => `${caller?.function.name} ${operation}`;

/** Whether a call is what a schedule does every few minutes, to find nothing. */
const isIdle = (call: Call, following: Call[]): boolean => {
  const isLook = ({ caller, operation }: Call) =>
    /^events\/(check-row-index|start-spin-run)$/.test(caller?.function.name ?? '') && operation === 'Query';
  const next = following.find(({ caller }) => caller === call.caller);
  return isLook(call) && (!next || isLook(next));
};

/** Runs a flow with what befalls the call of a number. Returns what was broken. */
async function tryStep(
  flow: Flow,
  bundles: Bundles,
  { step, index, fate }: { step: string; index: number; fate: Fate },
): Promise<string | undefined> {
  let count = 0;
  let struck = 'no call';
  let asked = '';
  let strikes = 0;
  const broken = await tryFlow(flow, bundles, (call) => {
    if (count++ === index) {
      struck = nameOf(call);
      asked = askedBy(call);
    }
    // The client sends a call again by itself: that fails as well, and the service hears of it.
    return askedBy(call) === asked && strikes++ < attempts ? fate : undefined;
  });
  if (struck !== step) throw new Error(`${struck} was struck instead of ${step}`);
  return broken;
}

const tryFlow = (flow: Flow, bundles: Bundles, befall: Befall) => tryFlows([flow], bundles, { befall });

type Befall = (call: Call) => Fate | undefined;

/** Runs flows in a calm world, with what is to befall their calls. Returns what was broken. */
async function tryFlows(
  flows: Flow[],
  bundles: Bundles,
  { befall, questioned = true }: { befall: Befall; questioned?: boolean },
): Promise<string | undefined> {
  let isActing = false;
  const { violations } = await runWorld({
    questioned,
    seed: 1,
    bundles,
    start,
    days: 0,
    rates: {},
    lookMs: quarterOfAnHour,
    befall: (call) => (isActing ? befall(call) : undefined),
    async inhabit(api) {
      const acting = () => {
        isActing = true;
      };
      await Promise.all(flows.map((flow) => live(api, flow, acting)));
    },
    drained: () => {
      isActing = false;
    },
  });
  const [first] = violations;
  return first && `${first.rule}: ${first.detail}`;
}

/** The head of the table of all flows, in Markdown. */
export const tableHead = `| flow | calls | steps | tried | broken |\n| --- | --- | --- | --- | --- |`;

/**
 * The row of a flow: the calls that it makes, at how many of them how often something was tried, and how
 * often that broke a rule.
 */
export function rowOf(name: string, { calls, steps, tried, broken }: Seen): string {
  const kinds = Object.entries(Object.groupBy(calls, (call) => call)).map(([call, same = []]) =>
    same.length > 1 ? `${same.length} × ${call}` : call,
  );
  return `| ${name} | ${kinds.join(', ')} | ${steps} | ${tried} | ${broken.length} |`;
}
