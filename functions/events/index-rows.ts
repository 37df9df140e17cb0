import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { indexNewRows } from '../../shared/reports/upkeep.ts';
import { itemIn } from '../../shared/table/codec.ts';

/**
 * Called with new records by the table's stream: indexes the rows of the reports they belong to. What fails
 * is tried again.
 */
export async function handler(event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> {
  const told = event.Records.map(({ dynamodb }) => itemIn(dynamodb?.NewImage ?? {}));
  await indexNewRows(told, Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
  return { batchItemFailures: [] };
}
