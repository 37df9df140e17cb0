/**
 * AWS's on-demand list prices in USD for US East (N. Virginia), without free tiers. Names are those on AWS's
 * bill.
 */

/** A tiered price: `each` applies up to `upTo` units a month, then the next tier's. */
export type Steps = { upTo: number; each: number }[];

const flat = (each: number): Steps => [{ upTo: Number.POSITIVE_INFINITY, each }];
const million = 1e6;
const billion = 1e9;
const terabyte = 1000;

/** Date of the price pages. */
export const noted = '2026-11-22';

/** Prices by charge. Data are in GB, time in GB-seconds. */
export const prices = {
  // aws.amazon.com/dynamodb/pricing/on-demand, valid since November 2024.
  WriteRequestUnits: flat(0.625 / million),
  'WriteRequestUnits (index)': flat(0.625 / million),
  ReadRequestUnits: flat(0.125 / million),
  'TimedStorage-ByteHrs': flat(0.25),
  'TimedPITRStorage-ByteHrs': flat(0.2),
  // aws.amazon.com/lambda/pricing
  'Request-ARM': flat(0.2 / million),
  'Lambda-GB-Second-ARM': [
    { upTo: 7.5 * billion, each: 0.0000133334 },
    { upTo: 18.75 * billion, each: 0.0000120001 },
    { upTo: Number.POSITIVE_INFINITY, each: 0.0000106667 },
  ],
  // aws.amazon.com/api-gateway/pricing, REST APIs
  ApiGatewayRequest: [
    { upTo: 333 * million, each: 3.5 / million },
    { upTo: billion, each: 2.8 / million },
    { upTo: 20 * billion, each: 2.38 / million },
    { upTo: Number.POSITIVE_INFINITY, each: 1.51 / million },
  ],
  // aws.amazon.com/sqs/pricing; on a standard queue, sending a message with a group costs extra.
  'SQS Requests-Tier1': [
    { upTo: 100 * billion, each: 0.4 / million },
    { upTo: 200 * billion, each: 0.3 / million },
    { upTo: Number.POSITIVE_INFINITY, each: 0.24 / million },
  ],
  'SQS Requests-FairQueue': flat(0.1 / million),
  // aws.amazon.com/eventbridge/pricing
  'Scheduler-Invocations': flat(1 / million),
  // aws.amazon.com/kms/pricing; each of a key's first two rotations adds the price of a key.
  'KMS-Keys': flat(1),
  'KMS-Requests': flat(0.03 / 10_000),
  // aws.amazon.com/cloudwatch/pricing; Lambda's logs have the tiers of vended logs.
  'CW:AlarmMonitorUsage': flat(0.1),
  'CW:MetricMonitorUsage': flat(0.3),
  DashboardsUsageHour: flat(3),
  'VendedLog-Bytes': [
    { upTo: 10 * terabyte, each: 0.5 },
    { upTo: 30 * terabyte, each: 0.25 },
    { upTo: 50 * terabyte, each: 0.1 },
    { upTo: Number.POSITIVE_INFINITY, each: 0.05 },
  ],
  'TimedStorage-ByteHrs (logs)': flat(0.03),
  // aws.amazon.com/ec2/pricing/on-demand, data transfer out to the internet
  'DataTransfer-Out-Bytes': [
    { upTo: 10 * terabyte, each: 0.09 },
    { upTo: 50 * terabyte, each: 0.085 },
    { upTo: 150 * terabyte, each: 0.07 },
    { upTo: Number.POSITIVE_INFINITY, each: 0.05 },
  ],
  // Alternatives that the service does not use: the table class Standard-IA, and an HTTP API.
  'IA-WriteRequestUnits': flat(0.78 / million),
  'IA-ReadRequestUnits': flat(0.155 / million),
  'IA-TimedStorage-ByteHrs': flat(0.1),
  ApiGatewayHttpRequest: [
    { upTo: 300 * million, each: 1 / million },
    { upTo: Number.POSITIVE_INFINITY, each: 0.9 / million },
  ],
} as const satisfies Record<string, Steps>;

/** A charge on AWS's bill. */
export type Charge = keyof typeof prices;
/** Amounts by charge, for one request or for a month. */
export type Use = Partial<Record<Charge, number>>;

/** Returns the cost of a month's amount, by the price's tiers. */
export function costOf(charge: Charge, amount: number): number {
  let [cost, done] = [0, 0];
  for (const { upTo, each } of prices[charge]) {
    cost += Math.max(0, Math.min(amount, upTo) - done) * each;
    done = upTo;
  }
  return cost;
}

/** Returns the cost of a month's use, for some charges or for all of them. */
export const costOfUse = (use: Use, charges = Object.keys(use) as Charge[]): number =>
  charges.reduce((sum, charge) => sum + costOf(charge, use[charge] ?? 0), 0);

/** Returns the sum of uses, each multiplied by `times`. */
export function sumOf(...uses: { times: number; use: Use }[]): Use {
  const sum: Use = {};
  for (const { times, use } of uses) {
    for (const [charge, amount] of Object.entries(use) as [Charge, number][]) {
      sum[charge] = (sum[charge] ?? 0) + times * amount;
    }
  }
  return sum;
}
