import { optionalVariable } from '../../../shared/environment.ts';
import type { Stage } from '../../../shared/stage.ts';
import { BadUsage, parseOptions } from '../../common/arguments.ts';
import { findDeployedStage, publicUrlOf, stages } from '../../deploy/stages.ts';
import { type OutputStreams, stageNames } from '../admin/cli.ts';
import { explainError } from '../admin/explain-error.ts';
import { readOperator } from '../admin/operator.ts';
import { readServiceTime } from '../admin/service-time.ts';
import { enterStage } from '../admin/use-stage.ts';
import { runSmokeSteps, type StepResult } from './smoke.ts';

const usage = `npm run smoke -- --stage ${stageNames.join('|')} [--url <address>] [--callback <address>] [--json]

Tests a stage end to end with an organization of its own, and cleans up afterward.

  --url       address of the API; by default the public URL in infra/deploy/stages.ts, or the API's own address
  --callback  public https address of a webhook receiver that responds 2xx; without it, webhooks are not tested
  --json      prints the result as JSON

Exit codes: 0 if everything works, 1 if a step failed, 2 for a usage error.`;

export async function runSmoke(args: string[], output: OutputStreams): Promise<number> {
  try {
    return await run(args, output);
  } catch (error) {
    output.error(error instanceof BadUsage ? `${error.message}\n\n${usage}` : explainError(error));
    return error instanceof BadUsage ? 2 : 1;
  }
}

async function run(args: string[], { out, error }: OutputStreams): Promise<number> {
  const { help, json, stage: named, url, callback } = parsed(args);
  if (help) {
    out(`${usage}\n`);
    return 0;
  }
  const stage = stageNames.find((name) => name === named);
  if (!stage) throw new BadUsage(`--stage must be one of ${stageNames.join(', ')}.`);
  await enterStage(stage, error);
  const context = {
    operator: await readOperator(stage),
    now: await readServiceTime(),
    readAt: Date.now(),
    why: 'Smoke test',
  };
  const onResult = json ? () => {} : (result: StepResult) => out(lineOf(result));
  const report = await runSmokeSteps({ stage, address: addressOf(stage, url), callback, context, onResult });
  if (json) out(`${JSON.stringify(report, null, 2)}\n`);
  return report.ok ? 0 : 1;
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { stage: text, url: text, callback: text, json: flag, help: flag };
  const { values } = parseOptions({ args, options });
  for (const name of ['url', 'callback'] as const) expectAddress(name, values[name]);
  return values;
}

function expectAddress(name: string, value: string | undefined): void {
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return;
  throw new BadUsage(`--${name} must be an address that begins with https://, but is "${value}".`);
}

/** Returns the API's address: --url, otherwise the stage's public URL, otherwise the URL from API Gateway. */
function addressOf(stage: Stage, override: string | undefined): string {
  const deployed = findDeployedStage(stage);
  const set = deployed ? publicUrlOf(stages[deployed]) : optionalVariable('PUBLIC_URL');
  const address = override ?? set ?? optionalVariable('API_URL');
  if (!address) throw new BadUsage('--url is missing: the stage has no API address.');
  return address.replace(/\/+$/, '');
}

const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;
const lineOf = ({ step, result, message }: StepResult) => `${marks[result]}  ${step}: ${message}\n`;
