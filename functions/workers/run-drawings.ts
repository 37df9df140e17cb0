import type { Context, SQSEvent } from 'aws-lambda';
import { parseDrawingStep, runDrawingStep } from '../../shared/actions/run-drawings.ts';
import { createPacer } from '../../shared/amoe/spin-run.ts';

/** Milliseconds before the function's timeout in which no user is changed and no relay asked. */
const reserveMs = 60_000;

/** Of one shard, so that a million entrants take some ten minutes, and leave room for other changes. */
const usersPerSecond = 150;

export async function handler({ Records }: SQSEvent, context: Context): Promise<void> {
  const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs;
  const clock = { now: Date.now, timeIsUp, pace: createPacer(usersPerSecond) };
  for (const { body } of Records) await runDrawingStep(parseDrawingStep(body), clock);
}
