/** Savings that the service forgoes by not using some AWS settings. The comment on each setting names its drawback. */
import { platformLogBytes } from './assumptions.ts';
import { type Charge, costOf, costOfUse, type Use } from './prices.ts';

const amountOf = (use: Use, ...charges: Charge[]) =>
  charges.reduce((sum, charge) => sum + (use[charge] ?? 0), 0);

/**
 * For each setting, computes the USD saved in a month with the given use of AWS. Negative if the setting costs more.
 */
export const savings: Record<string, (use: Use) => number> = {
  // Drawback: an HTTP API creates the responses 404, 429 and 503 itself, without the body that the service
  // promises.
  'an HTTP API in the place of the REST API': (use) => {
    const requests = amountOf(use, 'ApiGatewayRequest');
    return costOf('ApiGatewayRequest', requests) - costOf('ApiGatewayHttpRequest', requests);
  },
  // Drawback: without the lines START, END and REPORT, the log does not show an invocation's duration and
  // memory.
  'no lines of Lambda about each call': (use) => {
    const logs = amountOf(use, 'VendedLog-Bytes');
    const lines = (amountOf(use, 'Request-ARM') * platformLogBytes) / 1e9;
    return costOf('VendedLog-Bytes', logs) - costOf('VendedLog-Bytes', logs - lines);
  },
  // Drawback: without point-in-time recovery, a damaged table could not be restored.
  'no recovery to any second': (use) => costOfUse(use, ['TimedPITRStorage-ByteHrs']),
};
