/** Sets an organization's daily limits through the debug endpoints. */
import type { Random } from '../../support/random.ts';
import { type Host, sendRequest } from './host.ts';

export async function setCashLimit(host: Host, random: Random): Promise<void> {
  const body = { cash_limit: random.pick([0, 2, 10, 50, 500, 1_000_000_000]) };
  await sendRequest(host, { endpoint: 'debug/daily-cash-limit', body }, random);
}

export async function setSpinLimit(host: Host, random: Random): Promise<void> {
  await sendRequest(host, { endpoint: 'debug/daily-spin-limit', body: { on: random.chance(0.7) } }, random);
}
