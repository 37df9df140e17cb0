/**
 * Monthly savings of settings that the service does not use. Each has a drawback, which its comment names.
 */
import { platformLogBytes } from './assumptions.ts';
import { type Charge, costOf, costOfUse, type Use } from './prices.ts';

const amountOf = (use: Use, ...charges: Charge[]) =>
  charges.reduce((sum, charge) => sum + (use[charge] ?? 0), 0);

/** Returns the USD that a setting saves of a month's use; negative if it costs more. */
export const savings: Record<string, (use: Use) => number> = {
  // Writes cost a quarter more from the first day, so the table class pays off only after about four months.
  'the table class Standard-IA': (use) => {
    const writes = ['WriteRequestUnits', 'WriteRequestUnits (index)'] as const;
    const now = costOfUse(use, [...writes, 'ReadRequestUnits', 'TimedStorage-ByteHrs']);
    const then =
      costOf('IA-WriteRequestUnits', amountOf(use, ...writes)) +
      costOf('IA-ReadRequestUnits', amountOf(use, 'ReadRequestUnits')) +
      costOf('IA-TimedStorage-ByteHrs', amountOf(use, 'TimedStorage-ByteHrs'));
    return now - then;
  },
  // An HTTP API's own errors (404, 429, 503) cannot have the contract's body.
  'an HTTP API in the place of the REST API': (use) => {
    const requests = amountOf(use, 'ApiGatewayRequest');
    return costOf('ApiGatewayRequest', requests) - costOf('ApiGatewayHttpRequest', requests);
  },
  // Without START, END and REPORT, the log lacks duration and memory of invocations.
  'no lines of Lambda about each call': (use) => {
    const logs = amountOf(use, 'VendedLog-Bytes');
    const lines = (amountOf(use, 'Request-ARM') * platformLogBytes) / 1e9;
    return costOf('VendedLog-Bytes', logs) - costOf('VendedLog-Bytes', logs - lines);
  },
  // A damaged table could not be restored.
  'no recovery to any second': (use) => costOfUse(use, ['TimedPITRStorage-ByteHrs']),
};
