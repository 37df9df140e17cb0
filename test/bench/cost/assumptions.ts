/** Assumptions of the cost model that cannot be measured on one machine. */

/** Latency of AWS calls within a Region in ms, as CloudWatch shows it for small items. */
export const waitMs: Record<string, number> = {
  GetItem: 4,
  BatchGetItem: 5,
  Query: 5,
  PutItem: 6,
  UpdateItem: 6,
  DeleteItem: 6,
  BatchWriteItem: 8,
  TransactWriteItems: 12,
  SendMessage: 8,
  SendMessageBatch: 10,
};

/** Response time of webhook receivers in ms. */
export const receiverMs = 100;

/** Memory at which a function has a whole vCPU. Measured CPU time is assumed to be that of one vCPU. */
export const memoryOfOneCpuMb = 1769;

/** Invocations for each new instance. An instance's start is charged, and needs one KMS request. */
export const callsPerInstance = 2000;
/** Start of an instance in ms: the runtime's own start, and the measured load of the bundle. */
export const startMs = 250;

/**
 * Bytes that Lambda logs for each invocation (START, END, REPORT), with CloudWatch's 26 bytes for each line.
 */
export const platformLogBytes = 280 + 3 * 26;
/** Bytes that Lambda and CloudWatch add to each line that a function logs. */
export const bytesPerLine = 70 + 26;
/** Bytes of an API Gateway access log line, about as long as its format, with CloudWatch's 26 bytes. */
export const accessLogBytes = 520 + 26;
/** Compressed size of stored logs, relative to the ingested bytes. */
export const logCompression = 0.15;

/** Metrics that scheduled workers always emit. Other metrics are charged only for hours with values. */
export const alwaysCounted = ['OverdueSpinShards', 'LateBooks'];

/** Bytes of headers that API Gateway adds to a response, and of a webhook request's headers. */
export const headerBytes = 400;

/** Bytes that DynamoDB adds to each stored item. */
export const bytesPerItem = 100;

/** Lambda polls an idle queue with five parallel long polls of 20 seconds. */
export const pollsPerQueue = 5;
export const pollSeconds = 20;
export const daysPerMonth = 30.4;
export const secondsPerMonth = daysPerMonth * 86_400;

/**
 * KMS requests a month for each function that uses the table: DynamoDB requests the table's key every five
 * minutes.
 */
export const tableKeyRequests = secondsPerMonth / 300;
