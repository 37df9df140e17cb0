import type { ActionContext } from '../../../shared/actions/action-records.ts';
import type { Stage } from '../../../shared/stage.ts';
import { explainError } from '../admin/explain-error.ts';
import { cleanUpOrganization, prepareOrganization } from './organization.ts';
import { newClient, type Run, type Step } from './step.ts';
import { smokeSteps } from './steps.ts';

export type StepResult = { step: string; result: 'ok' | 'failed' | 'skipped'; message: string };

/** `ok` is false if any step failed, including the clean-up. */
export type SmokeResult = {
  stage: Stage;
  address: string;
  organization_id: string;
  ok: boolean;
  results: StepResult[];
};

type Options = {
  stage: Stage;
  address: string;
  callback?: string | undefined;
  context: ActionContext;
  onResult: (result: StepResult) => void;
};

/** Runs all steps, even after a failure, and cleans up. Throws if `prepareOrganization` fails. */
export async function runSmokeSteps({
  stage,
  address,
  callback,
  context,
  onResult,
}: Options): Promise<SmokeResult> {
  const credentials = await prepareOrganization(stage, context);
  const client = newClient(address, credentials);
  const run: Run = { ...credentials, stage, context, address, client, callback };
  const cleanUp: Step = {
    name: 'clean-up',
    check: async () => {
      await cleanUpOrganization(credentials, context);
      return 'spins cancelled, webhooks deleted, key revoked, organization suspended';
    },
  };
  const results: StepResult[] = [];
  for (const step of [...smokeSteps, cleanUp]) {
    const result = await resultOf(step, run);
    onResult(result);
    results.push(result);
  }
  const ok = results.every(({ result }) => result !== 'failed');
  return { stage, address, organization_id: credentials.organizationId, ok, results };
}

async function resultOf(step: Step, run: Run): Promise<StepResult> {
  const reason = step.skip?.(run);
  if (reason !== undefined) return { step: step.name, result: 'skipped', message: reason };
  try {
    return { step: step.name, result: 'ok', message: await step.check(run) };
  } catch (error) {
    return { step: step.name, result: 'failed', message: explainError(error) };
  }
}
