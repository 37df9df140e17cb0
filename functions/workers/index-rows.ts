import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { indexNewRows } from '../../shared/reports/upkeep.ts';
import { unpackImage } from '../../shared/table/codec.ts';

/** After an error, the stream delivers the whole batch again. */
export async function handler(event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> {
  const items = event.Records.map(({ dynamodb }) => unpackImage(dynamodb?.NewImage ?? {}));
  await indexNewRows(items, Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
  return { batchItemFailures: [] };
}
