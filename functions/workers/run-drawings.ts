import type { Context, SQSEvent } from 'aws-lambda';
import { parseDrawingStep, runDrawingStep } from '../../shared/actions/run-drawings.ts';
import { createPacer } from '../../shared/amoe/spin-run.ts';

/** Milliseconds before the function's timeout in which steps no longer change users or ask relays. */
const reserveMs = 60_000;

/** Per shard: a million entrants then take some ten minutes, and other changes still have capacity. */
const usersPerSecond = 150;

export async function handler({ Records }: SQSEvent, context: Context): Promise<void> {
  const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs;
  const clock = { now: Date.now, timeIsUp, pace: createPacer(usersPerSecond) };
  for (const { body } of Records) await runDrawingStep(parseDrawingStep(body), clock);
}
