import type {
  _Record as StreamRecord,
  AttributeValue as StreamValue,
} from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';

/** Converts a stream record from the AWS SDK's form to Lambda's: times in epoch seconds, binary values as base64. */
export function toLambdaRecord(record: StreamRecord, streamArn: string): DynamoDBRecord {
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage: _, ...rest } = record.dynamodb ?? {};
  return {
    eventName: record.eventName,
    eventSource: record.eventSource ?? 'aws:dynamodb',
    eventSourceARN: streamArn,
    dynamodb: {
      ...rest,
      ...(ApproximateCreationDateTime && {
        ApproximateCreationDateTime: Math.floor(ApproximateCreationDateTime.getTime() / 1000),
      }),
      ...(Keys && { Keys: toImage(Keys) }),
      ...(NewImage && { NewImage: toImage(NewImage) }),
    },
  };
}

const toImage = (image: Record<string, StreamValue>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, toValue(value)]));

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function toValue(value: StreamValue): AttributeValue {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(toValue) };
  if (value.M) return { M: toImage(value.M) };
  // DynamoDB Local leaves out the type of an empty map.
  if (Object.values(value).every((one) => one === undefined)) return { M: {} };
  return value as AttributeValue;
}
