// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs on the way of an event to its receiver. */
export const deliveries: Bug[] = [
  {
    name: 'publish-events reports as queued what was not',
    file: 'shared/webhooks/delivery-queue.ts',
    from: '    return batch;',
    to: '    return [];',
  },
  {
    name: 'a message that SQS refused for a fault of its own counts as queued',
    file: 'shared/webhooks/delivery-queue.ts',
    from: 'return Failed.map(',
    to: 'return Failed.filter(({ SenderFault }) => SenderFault).map(',
  },
  {
    name: 'a retry that cannot be scheduled now is let go',
    file: 'shared/webhooks/delivery-queue.ts',
    from: "'ServiceQuotaExceededException' || faultOf(error)) return false;",
    to: "'ServiceQuotaExceededException' || faultOf(error)) return true;",
  },
  {
    name: 'two webhooks share the schedule of an event',
    file: 'shared/webhooks/delivery-queue.ts',
    from: '${event_id} ${webhook_id} ${attempt} ${redrives}',
    to: '${event_id} ${webhook_id.length} ${attempt} ${redrives}',
  },
  {
    name: 'a retry of hours that cannot be scheduled comes after a quarter of one',
    file: 'shared/webhooks/delivery-queue.ts',
    from: 'await hold(delivery, at, now);',
    to: 'await sendLater(delivery, longestQueueDelaySeconds);',
  },
  {
    name: 'a message that comes early is held back by seconds instead of hours',
    file: 'shared/webhooks/delivery.ts',
    from: 'const early = not_before - deps.now();',
    to: 'const early = (not_before - deps.now()) / 1000;',
  },
  {
    name: 'a limit of deliveries is forgotten once a receiver is busy',
    file: 'shared/webhooks/pace.ts',
    from: "'next_at = next_at + :ms'",
    to: "'next_at = next_at'",
    tests: ['test/webhooks/pace.test.ts'],
  },
  {
    name: 'two batches at once are given the same times',
    file: 'shared/webhooks/pace.ts',
    from: 'attribute_not_exists(pk) OR next_at <= :now',
    to: 'attribute_not_exists(pk) OR next_at <= :then',
    tests: ['test/webhooks/pace.test.ts'],
  },
  {
    name: 'any failure above 410 ends a delivery',
    file: 'shared/webhooks/delivery.ts',
    from: 'answer.status === 410',
    to: 'answer.status >= 410',
  },
  {
    name: 'a redirect counts as delivered',
    file: 'shared/webhooks/delivery.ts',
    from: 'answer.status < 300',
    to: 'answer.status < 400',
  },
  {
    name: 'the Retry-After of a 429 is not looked at',
    file: 'shared/webhooks/delivery.ts',
    from: "const header = 'status' in answer ?",
    to: "const header = 'status' in answer && answer.status >= 500 ?",
  },
  {
    name: 'a call without an answer is not recorded',
    file: 'shared/webhooks/delivery.ts',
    from: '  await record(',
    to: "  if (!Object.hasOwn(answer, 'error')) await record(",
  },
  {
    name: 'a batch item whose attempt broke off is reported as done',
    file: 'shared/webhooks/delivery.ts',
    from: "log.failure('webhook attempt', error,",
    to: "settled.add(delivery) && log.failure('webhook attempt', error,",
  },
  {
    name: 'the first delay of the retries is left out',
    file: 'shared/webhooks/retry-schedule.ts',
    from: 'const delay = delays[attempt - 1];',
    to: 'const delay = delays[attempt];',
  },
  {
    name: 'jitter makes an attempt come early',
    file: 'shared/webhooks/retry-schedule.ts',
    from: '(1 + jitter * random)',
    to: '(1 - jitter * random)',
  },
  {
    name: 'a delivery is given up one attempt early',
    file: 'shared/webhooks/retry-schedule.ts',
    from: '10 * hour, 10 * hour];',
    to: '10 * hour];',
  },
  {
    name: 'redrive takes a delivery off before it is queued',
    file: 'shared/webhooks/parked.ts',
    from: 'const failed = await enqueue(batch.map(({ queued }) => anew(queued)));',
    to: 'await sqs().send(new DeleteMessageBatchCommand({ QueueUrl: parkedUrl(), Entries: handles(batch) }));\n    const failed = await enqueue(batch.map(({ queued }) => anew(queued)));',
  },
  {
    name: 'a delivery that is sent again has one attempt left',
    file: 'shared/webhooks/parked.ts',
    from: '...delivery, attempt: 1,',
    to: '...delivery,',
  },
  {
    name: 'a receiver that hangs is waited for for minutes',
    file: 'shared/webhooks/post.ts',
    from: 'const timeoutMs = 15_000;',
    to: 'const timeoutMs = 150_000;',
  },
  {
    name: 'the guard is not asked at call time for an address written in the URL',
    file: 'shared/webhooks/post.ts',
    from: 'if (!isCallableUrl(text, stage)) return { error: new NotPublic().message };\n    const url = new URL(text);\n    const host = hostOf(url);\n    if (isIP(host) && !mayCall(host, stage)) return',
    to: 'const url = new URL(text);\n    const host = hostOf(url);\n    if (!isIP(host) && !isCallableUrl(text, stage) && !mayCall(host, stage)) return',
    tests: ['test/webhooks/receivers.test.ts'],
  },
  {
    name: 'the second address of a callback is not checked',
    file: 'shared/webhooks/public-address.ts',
    from: '!addresses.every(({ address }) => mayCall(address, stage))',
    to: '!mayCall(first.address, stage)',
  },
  {
    name: 'the address at which a cloud keeps its credentials may be called',
    file: 'shared/webhooks/public-address.ts',
    from: "['169.254.0.0', 16],",
    to: "['169.254.0.0', 24],",
  },
];
