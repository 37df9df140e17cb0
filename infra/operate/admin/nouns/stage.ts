import { command } from '../command.ts';
import { readKeptData } from '../kept-data.ts';
import { readQueueDepths, readStageAlarms } from '../stage.ts';

export const verbs = {
  queues: command({
    effect: 'reads',
    summary:
      'Count the messages in the queues and dead-letter queues of the stage; the counts of SQS are approximate',
    required: {},
    run: async () => ({ print: { queues: await readQueueDepths() } }),
  }),
  alarms: command({
    effect: 'reads',
    summary: 'List the alarms of the stage with their runbooks, active alarms first',
    required: {},
    run: async (_, { stage }) => ({ print: await readStageAlarms(stage) }),
  }),
  kept: command({
    effect: 'reads',
    summary: 'Print the table and the keys that a deleted stack kept, as cdk import reads them',
    required: {},
    optional: { stack: 'stack id' },
    withoutStack: true,
    run: async ({ stack }, { stage }) => ({ print: await readKeptData(stage, stack) }),
  }),
};
