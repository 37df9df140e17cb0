/** What other settings would save of a month. What each would cost in other ways is in README.md. */
import { platformLogBytes } from './assumptions.ts';
import { type Charge, costOf, costOfUse, type Use } from './prices.ts';

const amountOf = (use: Use, ...charges: Charge[]) =>
  charges.reduce((sum, charge) => sum + (use[charge] ?? 0), 0);

/** USD that a setting saves of a month's use; less than nothing if it costs more. */
export const savings: Record<string, (use: Use) => number> = {
  'the table class Standard-IA': (use) => {
    const writes = ['WriteRequestUnits', 'WriteRequestUnits (index)'] as const;
    const now = costOfUse(use, [...writes, 'ReadRequestUnits', 'TimedStorage-ByteHrs']);
    const then =
      costOf('IA-WriteRequestUnits', amountOf(use, ...writes)) +
      costOf('IA-ReadRequestUnits', amountOf(use, 'ReadRequestUnits')) +
      costOf('IA-TimedStorage-ByteHrs', amountOf(use, 'TimedStorage-ByteHrs'));
    return now - then;
  },
  'an HTTP API in the place of the REST API': (use) => {
    const requests = amountOf(use, 'ApiGatewayRequest');
    return costOf('ApiGatewayRequest', requests) - costOf('ApiGatewayHttpRequest', requests);
  },
  'no lines of Lambda about each call': (use) => {
    const logs = amountOf(use, 'VendedLog-Bytes');
    const lines = (amountOf(use, 'Request-ARM') * platformLogBytes) / 1e9;
    return costOf('VendedLog-Bytes', logs) - costOf('VendedLog-Bytes', logs - lines);
  },
  'no recovery to any second': (use) => costOfUse(use, ['TimedPITRStorage-ByteHrs']),
};
