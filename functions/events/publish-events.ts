import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { HistoryRecord } from '../../shared/accounts/records.ts';
import { log } from '../../shared/log.ts';
import { publish } from '../../shared/webhooks/publishing.ts';

/**
 * Called by the table's stream with new records. Queues the deliveries of their events. If one fails, the
 * stream repeats that record and all after it.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const inserted = Records.filter(
    ({ eventName, dynamodb }) => eventName === 'INSERT' && dynamodb?.NewImage?.kind,
  );
  const records = inserted.map(
    ({ dynamodb }) =>
      unmarshall(dynamodb!.NewImage as Record<string, AttributeValue>) as unknown as HistoryRecord,
  );
  const failed = await publish(records);
  if (failed === undefined) return { batchItemFailures: [] };
  log.warn('not all events could be queued', { records: records.length, failed_from: failed });
  return { batchItemFailures: [{ itemIdentifier: inserted[failed]!.dynamodb!.SequenceNumber! }] };
}
