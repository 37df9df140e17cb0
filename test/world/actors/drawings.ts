/** Operators announce, call off, draw and forfeit drawings among entries. */
import { entryTypes } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { hourMs, minuteMs } from './action-times.ts';
import { type Host, later, sendRequest } from './host.ts';

const prize = ['--prize', 'A truck', '--value-usd', '45000', '--claim-days', '30'];
const dayMs = 24 * hourMs;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Draws a drawing at once, and then hands over or forfeits prizes. Some have too few entrants. */
export async function testDrawing(host: Host, random: Random): Promise<void> {
  const org = ['--org', host.caller.organizationId];
  const terms = ['--type', random.pick(entryTypes), '--winners', String(1 + random.below(3)), '--test'];
  const { exitCode, printed } = await host.api.admin(['drawing', 'announce', ...org, ...prize, ...terms]);
  if (exitCode !== 0 || random.chance(0.3)) return;
  await host.api.wait(random.around(20 * minuteMs));
  const place = ['--drawing', printed.drawing_id, '--place', '1', '--why', 'not claimed'];
  const { prize_id } = random.pick(printed.winners as { prize_id: string }[]);
  const body = random.pick([
    { state: 'held', reason: 'a form is missing' },
    { state: 'delivered', reference: `key ${random.below(3)}` },
    { state: 'forfeited', reason: 'too late' },
  ]);
  const step = () => sendRequest(host, { endpoint: 'prizes/update', path: { prize_id }, body }, random);
  await Promise.all([
    step(),
    random.chance(0.5) ? step() : undefined,
    random.chance(0.5) ? host.api.admin(['drawing', 'forfeit', ...org, ...place]) : undefined,
  ]);
  await sendRequest(host, { endpoint: 'drawings/get', path: { drawing_id: printed.drawing_id } }, random);
}

/** Announces a drawing that closes at the next midnight or the one after it, and sometimes calls it off by then. */
export async function announceDrawing(host: Host, random: Random): Promise<void> {
  const { api, caller } = host;
  const org = ['--org', caller.organizationId];
  const closes = api.now() + dayMs;
  const days = ['--closes', dayOf(closes), '--draws', `${dayOf(closes + 2 * dayMs)}T20:00`];
  const terms = ['--type', random.pick(entryTypes), '--winners', String(1 + random.below(3)), ...days];
  const { exitCode, printed } = await api.admin(['drawing', 'announce', ...org, ...prize, ...terms]);
  if (exitCode !== 0 || random.chance(0.6)) return;
  later(host, random.around(dayMs), async () => {
    await api.admin(['drawing', 'call-off', ...org, '--drawing', printed.drawing_id, '--why', 'a mistake']);
  });
}
