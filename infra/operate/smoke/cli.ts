/** The command line of the smoke test. */
import { parseArgs } from 'node:util';
import { optionalVariable } from '../../../shared/environment.ts';
import type { Stage } from '../../../shared/stage.ts';
import { deployedStage, publicUrlOf, stages } from '../../deploy/stages.ts';
import { type Output, stageNames } from '../admin/cli.ts';
import { explain } from '../admin/explain.ts';
import { operatorOf } from '../admin/operator.ts';
import { serviceTime } from '../admin/service-time.ts';
import { useStage } from '../admin/use-stage.ts';
import { type Result, smoke } from './smoke.ts';

const usage = `npm run smoke -- --stage ${stageNames.join('|')} [--url <address>] [--callback <address>] [--json]

Tries a stage end to end as an organization of its own, and cleans up after itself.

  --url       the address of the API, if not that in infra/deploy/stages.ts or the API's own
  --callback  where a webhook is told: https, public, and answering 2xx; without it, webhooks are not tried
  --json      prints the result as JSON

The exit code is 0 if all is well, 1 if something is not, and 2 if the command was not understood.`;

/** The command was not understood. */
class BadUsage extends Error {}

/** Runs the smoke test with a command's arguments. Returns its exit code. */
export async function runSmoke(args: string[], output: Output): Promise<number> {
  try {
    return await run(args, output);
  } catch (error) {
    output.error(error instanceof BadUsage ? `${error.message}\n\n${usage}` : explain(error));
    return error instanceof BadUsage ? 2 : 1;
  }
}

async function run(args: string[], { out, error }: Output): Promise<number> {
  const { help, json, stage: named, url, callback } = parsed(args);
  if (help) {
    error(usage);
    return 0;
  }
  const stage = stageNames.find((name) => name === named);
  if (!stage) throw new BadUsage(`--stage is one of ${stageNames.join(', ')}.`);
  await useStage(stage, error);
  const by = {
    operator: await operatorOf(stage),
    now: await serviceTime(),
    why: 'Smoke test',
  };
  const tell = json ? () => {} : (result: Result) => out(lineOf(result));
  const report = await smoke({ stage, address: addressOf(stage, url), callback, by, tell });
  if (json) out(`${JSON.stringify(report, null, 2)}\n`);
  return report.ok ? 0 : 1;
}

function parsed(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean', default: false } as const;
    const options = { stage: text, url: text, callback: text, json: flag, help: flag };
    const { values } = parseArgs({ args, options });
    for (const name of ['url', 'callback'] as const) expectAddress(name, values[name]);
    return values;
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}

function expectAddress(name: string, value: string | undefined): void {
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return;
  throw new Error(`--${name} is "${value}", and must be an address that begins with https://.`);
}

/** Where hosts reach the API: as was said, as the stage is set, or the API's own address. */
function addressOf(stage: Stage, said: string | undefined): string {
  const deployed = deployedStage(stage);
  const set = deployed ? publicUrlOf(stages[deployed]) : optionalVariable('PUBLIC_URL');
  const address = said ?? set ?? optionalVariable('API_URL');
  if (!address) throw new BadUsage('--url is missing: the stage does not tell the address of its API.');
  return address.replace(/\/+$/, '');
}

const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;
const lineOf = ({ step, result, message }: Result) => `${marks[result]}  ${step}: ${message}\n`;
