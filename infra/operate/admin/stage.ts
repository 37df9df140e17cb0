import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../../../shared/aws.ts';
import { type QueueName, queueVariables, requiredVariable } from '../../../shared/environment.ts';
import type { Stage } from '../../../shared/stage.ts';
import { stackNameOf } from '../../deploy/stages.ts';

const counted = {
  waiting: 'ApproximateNumberOfMessages',
  delayed: 'ApproximateNumberOfMessagesDelayed',
  in_flight: 'ApproximateNumberOfMessagesNotVisible',
} as const;

export function readQueueDepths() {
  const names = Object.keys(queueVariables) as QueueName[];
  return Promise.all(
    names.map(async (queue) => {
      const { url, deadLetterUrl } = queueVariables[queue];
      const [own, dead] = await Promise.all([
        countsOf(requiredVariable(url)),
        countsOf(requiredVariable(deadLetterUrl)),
      ]);
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

// Order of alarms by state: active alarms first, then alarms without data.
const states = ['ALARM', 'INSUFFICIENT_DATA', 'OK'];

export async function readStageAlarms(stage: Stage) {
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
  const alarms: MetricAlarm[] = [];
  for await (const page of paginateDescribeAlarms({ client: new CloudWatchClient({}) }, { AlarmNamePrefix }))
    alarms.push(...(page.MetricAlarms ?? []));
  return alarms;
}
