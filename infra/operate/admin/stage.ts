/** How a stage is as a whole. */
import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../../../shared/aws.ts';
import { type QueueName, queueVariables, variable } from '../../../shared/environment.ts';
import type { Stage } from '../../../shared/stage.ts';
import { stackNameOf } from '../../deploy/stages.ts';

const counted = {
  waiting: 'ApproximateNumberOfMessages',
  delayed: 'ApproximateNumberOfMessagesDelayed',
  in_flight: 'ApproximateNumberOfMessagesNotVisible',
} as const;

/** How much lies on each queue, about: ready, held back, and being worked on; and how much has failed for good. */
export function queueDepths() {
  const names = Object.keys(queueVariables) as QueueName[];
  return Promise.all(
    names.map(async (queue) => {
      const { url, deadLetterUrl } = queueVariables[queue];
      const [own, dead] = await Promise.all([countsOf(variable(url)), countsOf(variable(deadLetterUrl))]);
      return { queue, ...own, dead_letters: dead.waiting + dead.delayed + dead.in_flight };
    }),
  );
}

async function countsOf(QueueUrl: string): Promise<Record<keyof typeof counted, number>> {
  const { Attributes = {} } = await sqs().send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: Object.values(counted) }),
  );
  const [waiting, delayed, in_flight] = Object.values(counted).map((name) => Number(Attributes[name] ?? 0));
  return { waiting: waiting!, delayed: delayed!, in_flight: in_flight! };
}

// Those that ring, and then those that cannot tell.
const states = ['ALARM', 'INSUFFICIENT_DATA', 'OK'];

/** The alarms of a stage with their runbooks; the local stage has none, and `note` says so. */
export async function stageAlarms(stage: Stage) {
  if (stage === 'local') return { note: 'The local stage has no alarms.', alarms: [] };
  const prefix = `${stackNameOf(stage)}-`;
  const alarms = await alarmsNamed(prefix);
  const shown = alarms.map(({ AlarmName = '', StateValue = '', ...alarm }) => ({
    alarm: AlarmName.slice(prefix.length),
    state: StateValue,
    since: alarm.StateUpdatedTimestamp?.toISOString(),
    runbook: alarm.AlarmDescription,
  }));
  return { alarms: shown.sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state)) };
}

async function alarmsNamed(AlarmNamePrefix: string): Promise<MetricAlarm[]> {
  const client = new CloudWatchClient({});
  const alarms: MetricAlarm[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new DescribeAlarmsCommand({ AlarmNamePrefix, NextToken }));
    alarms.push(...(page.MetricAlarms ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return alarms;
}
