import { command } from '../command.ts';
import { queueDepths, stageAlarms } from '../stage.ts';

export const verbs = {
  queues: command({
    effect: 'reads',
    summary:
      'Count what lies on the queues of the stage, and what has failed for good; SQS counts about right',
    required: {},
    run: async () => ({ print: { queues: await queueDepths() } }),
  }),
  alarms: command({
    effect: 'reads',
    summary: 'List the alarms of the stage, those that ring first, each with what to do',
    required: {},
    run: async (_, { stage }) => ({ print: await stageAlarms(stage) }),
  }),
};
