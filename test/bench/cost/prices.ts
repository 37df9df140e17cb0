/** AWS's on-demand prices in USD for US East (N. Virginia), without free tiers, named as on AWS's bill. */

/** Price tiers, ascending: units above the previous `upTo`, up to this `upTo` a month, cost `each` USD. */
export type Steps = { upTo: number; each: number }[];

const flat = (each: number): Steps => [{ upTo: Number.POSITIVE_INFINITY, each }];
const million = 1e6;
const billion = 1e9;
const terabyte = 1000;

/** Date on which the prices were copied from AWS's pages. */
export const copiedOn = '2026-11-22';

/** Prices in USD by charge. Data is priced per GB, run time per GB-second, everything else per unit. */
export const prices = {
  // Source: aws.amazon.com/dynamodb/pricing/on-demand (prices since November 2024).
  WriteRequestUnits: flat(0.625 / million),
  'WriteRequestUnits (index)': flat(0.625 / million),
  ReadRequestUnits: flat(0.125 / million),
  'TimedStorage-ByteHrs': flat(0.25),
  'TimedPITRStorage-ByteHrs': flat(0.2),
  // Source: aws.amazon.com/lambda/pricing.
  'Request-ARM': flat(0.2 / million),
  'Lambda-GB-Second-ARM': [
    { upTo: 7.5 * billion, each: 0.0000133334 },
    { upTo: 18.75 * billion, each: 0.0000120001 },
    { upTo: Number.POSITIVE_INFINITY, each: 0.0000106667 },
  ],
  // Source: aws.amazon.com/api-gateway/pricing, section on REST APIs.
  ApiGatewayRequest: [
    { upTo: 333 * million, each: 3.5 / million },
    { upTo: billion, each: 2.8 / million },
    { upTo: 20 * billion, each: 2.38 / million },
    { upTo: Number.POSITIVE_INFINITY, each: 1.51 / million },
  ],
  // Source: aws.amazon.com/sqs/pricing. AWS charges `SQS Requests-FairQueue` in addition for messages with a group id
  // on standard queues.
  'SQS Requests-Tier1': [
    { upTo: 100 * billion, each: 0.4 / million },
    { upTo: 200 * billion, each: 0.3 / million },
    { upTo: Number.POSITIVE_INFINITY, each: 0.24 / million },
  ],
  'SQS Requests-FairQueue': flat(0.1 / million),
  // Source: aws.amazon.com/eventbridge/pricing.
  'Scheduler-Invocations': flat(1 / million),
  // Source: aws.amazon.com/kms/pricing. The model omits the higher monthly price of a key after rotations.
  'KMS-Keys': flat(1),
  'KMS-Requests': flat(0.03 / 10_000),
  // Source: aws.amazon.com/cloudwatch/pricing. Lambda's logs are charged as vended logs.
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
  // Source: aws.amazon.com/ec2/pricing/on-demand, section on data transfer out to the internet.
  'DataTransfer-Out-Bytes': [
    { upTo: 10 * terabyte, each: 0.09 },
    { upTo: 50 * terabyte, each: 0.085 },
    { upTo: 150 * terabyte, each: 0.07 },
    { upTo: Number.POSITIVE_INFINITY, each: 0.05 },
  ],
  // The table class Standard-IA, a stage's setting.
  'IA-WriteRequestUnits': flat(0.78 / million),
  'IA-WriteRequestUnits (index)': flat(0.78 / million),
  'IA-ReadRequestUnits': flat(0.155 / million),
  'IA-TimedStorage-ByteHrs': flat(0.1),
  // An alternative that the service does not use.
  ApiGatewayHttpRequest: [
    { upTo: 300 * million, each: 1 / million },
    { upTo: Number.POSITIVE_INFINITY, each: 0.9 / million },
  ],
} as const satisfies Record<string, Steps>;

export type Charge = keyof typeof prices;
/** Billed amount of each charge (such as write units), for one measured item or for one month. */
export type Use = Partial<Record<Charge, number>>;

/** Returns the cost in USD of one charge's amount in a month. Applies the price's tiers. */
export function costOf(charge: Charge, amount: number): number {
  let [cost, done] = [0, 0];
  for (const { upTo, each } of prices[charge]) {
    cost += Math.max(0, Math.min(amount, upTo) - done) * each;
    done = upTo;
  }
  return cost;
}

/** Returns the cost in USD of a month's use of AWS, for the given charges or for all. */
export const costOfUse = (use: Use, charges = Object.keys(use) as Charge[]): number =>
  charges.reduce((sum, charge) => sum + costOf(charge, use[charge] ?? 0), 0);

/** Returns the sum of several uses of AWS, each multiplied by its `times`. */
export function sumOf(...uses: { times: number; use: Use }[]): Use {
  const sum: Use = {};
  for (const { times, use } of uses) {
    for (const [charge, amount] of Object.entries(use) as [Charge, number][]) {
      sum[charge] = (sum[charge] ?? 0) + times * amount;
    }
  }
  return sum;
}

/** Returns a month's use of AWS with the table class Standard-IA. */
export const infrequentAccess = (use: Use): Use =>
  Object.fromEntries(
    Object.entries(use).map(([charge, amount]) => [
      `IA-${charge}` in prices ? `IA-${charge}` : charge,
      amount,
    ]),
  );
