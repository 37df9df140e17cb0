import type { By } from '../../../shared/operations/operation-records.ts';
import type { Stage } from '../../../shared/stage.ts';
import { explain } from '../admin/explain.ts';
import { closeOrganization, openOrganization } from './organization.ts';
import { clientOf, type Run, type Step } from './step.ts';
import { steps } from './steps.ts';

/** What came of a step: what it saw, what is wrong, or why it was not tried. */
export type Result = { step: string; result: 'ok' | 'failed' | 'skipped'; message: string };

/** What a run says: `ok` is false if a step failed, the one that cleans up among them. */
export type Report = {
  stage: Stage;
  address: string;
  organization_id: string;
  ok: boolean;
  results: Result[];
};

type Options = {
  stage: Stage;
  address: string;
  callback?: string | undefined;
  by: By;
  /** Hears of each step once it has ended. */
  tell: (result: Result) => void;
};

/**
 * Tries a stage end to end, and then sees to it that nothing of the run is live. A step that fails does not keep the
 * others from being tried. Throws if the organization to try it with cannot be opened.
 */
export async function smoke({ stage, address, callback, by, tell }: Options): Promise<Report> {
  const credentials = await openOrganization(stage, by);
  const client = clientOf(address, credentials);
  const run: Run = { ...credentials, stage, address, client, callback };
  const cleanUp: Step = {
    name: 'clean-up',
    try: async () => {
      await closeOrganization(credentials, by);
      return 'spins cancelled, webhooks deleted, key revoked, organization suspended';
    },
  };
  const results: Result[] = [];
  for (const step of [...steps, cleanUp]) {
    const result = await resultOf(step, run);
    tell(result);
    results.push(result);
  }
  const ok = results.every(({ result }) => result !== 'failed');
  return { stage, address, organization_id: credentials.organizationId, ok, results };
}

async function resultOf(step: Step, run: Run): Promise<Result> {
  const reason = step.skip?.(run);
  if (reason !== undefined) return { step: step.name, result: 'skipped', message: reason };
  try {
    return { step: step.name, result: 'ok', message: await step.try(run) };
  } catch (error) {
    return { step: step.name, result: 'failed', message: explain(error) };
  }
}
