import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Returns the error of a cancelled transaction. `codes` are the reasons for its writes, in order. */
export const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: `Transaction cancelled [${codes.join(', ')}]`,
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** Returns an error like those that the AWS SDK throws for DynamoDB or network failures. */
export const sdkError = (name: string, extra: object = {}) =>
  Object.assign(new Error(`${name} of table arn:aws:dynamodb:secret`), { name, $metadata: {}, ...extra });

/** Returns the error of a broken connection, which leaves open whether DynamoDB carried out the request. */
export const brokenConnection = () => sdkError('Error', { code: 'ECONNRESET' });
