import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { sealTold } from '../../shared/reports/upkeep.ts';

/** Called with new records by the table's stream: seals the reports they belong to. What fails is tried again. */
export async function handler(event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> {
  const told = event.Records.map(({ dynamodb }) => dynamodb?.NewImage);
  await sealTold(told, Date.now(), () => context.getRemainingTimeInMillis() > 15_000);
  return { batchItemFailures: [] };
}
