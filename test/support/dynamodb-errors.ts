import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** A transaction that DynamoDB gave up, with the reason of each part. */
export const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: `Transaction cancelled [${codes.join(', ')}]`,
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** An error of DynamoDB or of the network, by the name that the SDK gives it. */
export const sdkError = (name: string, extra: object = {}) =>
  Object.assign(new Error(`${name} of table arn:aws:dynamodb:secret`), { name, $metadata: {}, ...extra });

/** The connection broke: nobody knows what became of the request. */
export const brokenConnection = () => sdkError('Error', { code: 'ECONNRESET' });
