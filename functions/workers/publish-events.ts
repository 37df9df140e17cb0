import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '../../shared/log.ts';
import { unpackImage } from '../../shared/table/codec.ts';
import type { EventRecord } from '../../shared/webhooks/events.ts';
import { publishEvents } from '../../shared/webhooks/publishing.ts';

/** After a failure, the stream continues from the failed record. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const inserted = Records.filter(({ eventName }) => eventName === 'INSERT').map(({ dynamodb }) => ({
    record: unpackImage(dynamodb!.NewImage!) as EventRecord,
    itemIdentifier: dynamodb!.SequenceNumber!,
  }));
  const failed = await publishEvents(inserted.map(({ record }) => record));
  if (failed === undefined) return { batchItemFailures: [] };
  log.warn('some events could not be queued', { records: inserted.length, failed_from: failed });
  return { batchItemFailures: [{ itemIdentifier: inserted[failed]!.itemIdentifier }] };
}
