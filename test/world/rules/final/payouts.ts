/** Rules of the payout check, a worker that logs plays and wins every hour. */
import type { StoredItem } from '../../journal.ts';
import { organizationOf } from '../item-types.ts';
import type { EndRule, World } from './final-state.ts';

const hourMs = 3_600_000;

/** Returns the fields of all log lines with this message. */
const linesOf = ({ journal }: World, message: string): Record<string, unknown>[] =>
  journal.logs.flatMap((line) => {
    const fields = line.includes(`"${message}"`) ? JSON.parse(line) : {};
    return fields.message === message ? [fields] : [];
  });

const nameOf = (organization: unknown, game: unknown, type: unknown) => `${organization} ${game}_${type}`;

/** Returns the outcomes that the payout check must count: all except debug plays. */
const compared = (world: World): StoredItem[] =>
  world.of('record').filter(({ kind, debug }) => kind === 'outcomes' && !debug);

/** The payout check counts no play twice. The rule allows uncounted plays, because a check may be interrupted. */
const countedOnce: EndRule = {
  rule: 'the payout check counts no play twice',
  check(world, report) {
    const left = new Map<string, number>();
    for (const { organization_id, game, play_type } of compared(world)) {
      const name = nameOf(organization_id, game, play_type);
      left.set(name, (left.get(name) ?? 0) + 1);
    }
    for (const { organization_id, ...fields } of linesOf(world, 'payouts'))
      for (const [field, count] of Object.entries(fields)) {
        if (!/_(regular|amoe)$/.test(field)) continue;
        const name = `${organization_id} ${field}`;
        left.set(name, (left.get(name) ?? 0) - Number(count));
      }
    for (const [name, count] of left) if (count < 0) report(`${name}: ${-count} more than exist`);
  },
};

/** After the last fault, the payout check counts each play within three hours. */
const checkedInTime: EndRule = {
  rule: 'plays and wins are counted within hours',
  check(world, report) {
    const until = new Map(
      world.of('payouts').map((item) => [organizationOf(item), Number(item.checked_until)]),
    );
    for (const { id, organization_id, timestamp } of compared(world)) {
      const at = Date.parse(timestamp);
      if (at < world.faultFreeFrom + hourMs || at > world.now - 3 * hourMs) continue;
      if (at >= (until.get(organization_id) ?? 0)) report(`${id} of ${timestamp} is not checked`);
    }
  },
};

export const payoutRules = [countedOnce, checkedInTime];
