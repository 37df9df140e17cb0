/** Assumptions of the cost model: values that one machine without AWS cannot measure. */

/** Latency of AWS calls within a Region in milliseconds, as CloudWatch reports it for small items. */
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

/** Response time of a host's webhook receiver, in milliseconds. */
export const receiverMs = 100;

/** Memory in MB at which Lambda gives one vCPU. The model assumes that this vCPU is as fast as this machine's CPU. */
export const memoryOfOneCpuMb = 1769;

/** Average number of invocations per function instance. A new instance costs its start time and one KMS request. */
export const callsPerInstance = 2000;
/** Milliseconds that a new function instance takes to start Node and to load its bundle. */
export const startMs = 250;

/** Log bytes charged per invocation for Lambda's lines START, END and REPORT. CloudWatch adds 26 bytes to each line. */
export const platformLogBytes = 280 + 3 * 26;
/** Bytes charged per logged line in addition to its text: Lambda's prefix, and 26 bytes that CloudWatch adds. */
export const bytesPerLine = 70 + 26;
/**
 * Bytes charged for one line of API Gateway's access log: an estimate from the log format, and 26 bytes that
 * CloudWatch adds.
 */
export const accessLogBytes = 520 + 26;
/** Stored bytes of a log per ingested byte. CloudWatch compresses stored logs. */
export const logCompression = 0.15;

/** Metrics that scheduled workers emit at every run, so AWS charges the metrics for the whole month. */
export const alwaysCounted = [
  'OverdueSpinShards',
  'LateBooks',
  'LateTimestamps',
  'BookFindings',
  'UncheckedBooks',
];

/** Assumed size in bytes of the headers of one API Gateway response, and of one webhook request. */
export const headerBytes = 400;

/** Bytes of storage that DynamoDB charges per item, in addition to the item's own size. */
export const bytesPerItem = 100;

/** Number of parallel long polls that Lambda sends to an idle queue. Each takes `pollSeconds`. */
export const pollsPerQueue = 5;
export const pollSeconds = 20;
export const daysPerMonth = 30.4;
export const secondsPerMonth = daysPerMonth * 86_400;

/** KMS requests per month that DynamoDB makes for one function: it caches the table's key for five minutes. */
export const tableKeyRequests = secondsPerMonth / 300;
