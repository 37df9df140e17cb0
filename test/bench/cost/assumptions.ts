/** What a bill depends on and no measurement on one machine can tell. */

/** How long a function waits for a call within a region, in milliseconds; as CloudWatch shows it of small items. */
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

/** How long a receiver of webhooks takes, in milliseconds. */
export const receiverMs = 100;

/** Memory with which a function has a whole vCPU; CPU as measured here is taken for that of such a one. */
export const memoryOfOneCpuMb = 1769;

/** One call in so many starts an instance, whose loading is charged, and which asks KMS once. */
export const callsPerInstance = 2000;
/** What an instance takes to start, in milliseconds: the runtime's own start, and the bundle as measured. */
export const startMs = 250;

/** Bytes that Lambda logs of each call (START, END, REPORT), and CloudWatch's own 26 for each line. */
export const platformLogBytes = 280 + 3 * 26;
/** Bytes that Lambda and CloudWatch add to each line of a function. */
export const bytesPerLine = 70 + 26;
/** Bytes of a line of API Gateway's access log, whose format is about as long, and CloudWatch's own. */
export const accessLogBytes = 520 + 26;
/** Logs are stored compressed. */
export const logCompression = 0.15;

/** What is counted by schedules though there is nothing to count; other metrics exist in hours that have something. */
export const alwaysCounted = ['OverdueSpinShards', 'LateBooks'];

/** Bytes of the headers with which API Gateway responds beyond the function's, and of a webhook's request. */
export const headerBytes = 400;

/** Bytes that DynamoDB adds to each item that it stores. */
export const bytesPerItem = 100;

/** Lambda polls an idle queue with so many long polls of 20 seconds at a time. */
export const pollsPerQueue = 5;
export const pollSeconds = 20;
export const daysPerMonth = 30.4;
export const secondsPerMonth = daysPerMonth * 86_400;

/** DynamoDB asks KMS for the table's key once in five minutes for each function that uses it: so often in a month. */
export const tableKeyRequests = secondsPerMonth / 300;
