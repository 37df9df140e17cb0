import type { Bug } from './bug.ts';

/** Bugs in free spins. */
export const amoe: Bug[] = [
  {
    name: "a guest's answer lacks the spins that did not run in time",
    file: 'shared/amoe/guest-spins.ts',
    from: 'if (!progress || progress.remaining > 0) throw',
    to: 'if (!progress) throw',
  },
  {
    name: 'an order forgets the spins that are queued',
    file: 'shared/amoe/spin-orders.ts',
    from: 'queued_spins: user.queued_spins + num_of_spins',
    to: 'queued_spins: num_of_spins',
  },
  {
    name: 'a transaction is given more spins than it may have room for',
    file: 'shared/amoe/spin-batches.ts',
    from: 'export const spinsPerTransaction = 30;',
    to: 'export const spinsPerTransaction = 50;',
  },
  {
    name: "the spins of one batch do not see each other's cash",
    file: 'shared/amoe/spin-batches.ts',
    from: 'cash: all.cash,',
    to: 'cash,',
  },
  {
    name: 'the daily limit counts free spins',
    file: 'shared/amoe/spin-batches.ts',
    from: 'queued_spins: user.queued_spins - count },',
    to: 'queued_spins: user.queued_spins - count, plays: { day, count: user.plays.count + count } },',
  },
  {
    name: 'a finished order never leaves the index',
    file: 'shared/amoe/spin-batches.ts',
    from: 'if (order.remaining > 0) return order;',
    to: 'if (order.remaining >= 0) return order;',
  },
  {
    name: 'after its first batch an order draws the same prizes again',
    file: 'shared/amoe/spin-batches.ts',
    from: 'const done = order.num_of_spins - order.remaining;',
    to: 'const done = order.outcomes?.length ?? 0;',
  },
  {
    name: 'the first batch of an order takes all of it off what is queued',
    file: 'shared/amoe/spin-batches.ts',
    from: 'queued_spins: user.queued_spins - count }',
    to: 'queued_spins: user.queued_spins - before }',
  },
  {
    name: 'a guest of more spins than fit one batch gets those of the last',
    file: 'shared/amoe/spin-batches.ts',
    from: 'order.outcomes && [...order.outcomes, ...spun.outcomes.map(outcomeOf)]',
    to: 'order.outcomes && spun.outcomes.map(outcomeOf)',
  },
  {
    name: "cash of queued spins is not granted of the day's",
    file: 'shared/amoe/spin-batches.ts',
    from: '...grantCash(order.organization_id, drawing.cash, spun.cash),',
    to: '...(isNew ? grantCash(order.organization_id, drawing.cash, spun.cash) : {}),',
  },
  {
    name: 'spins that are queued in the evening wait a day longer, by the day in UTC',
    file: 'shared/amoe/spin-orders.ts',
    from: 'addDays(dayOf(now), 1)',
    to: 'addDays(isoOf(now).slice(0, 10), 1)',
  },
  {
    name: 'queued spins are attributed to the day on which they run',
    file: 'shared/amoe/spin-orders.ts',
    from: 'effectiveAt === undefined ? startOfToday(now)',
    to: 'effectiveAt === undefined ? startOfToday(startOfDay(dueDay))',
  },
  {
    name: 'the client seed of free spins depends on the request',
    file: 'shared/amoe/spin-orders.ts',
    from: 'last_hash: record.last_hash,',
    to: 'last_hash: record.hash,',
  },
  {
    name: 'spins that run late are drawn with the secret of the day on which they run',
    file: 'shared/amoe/spin-batches.ts',
    from: '(seen.order as SpinOrder | undefined)?.due_day ?? dayOf(now)',
    to: 'dayOf(now)',
  },
  {
    name: 'a replay of free spins does not compare how many there are',
    file: 'shared/amoe/spin-orders.ts',
    from: '({ ...others, operation, spins: num_of_spins, date })',
    to: '({ ...others, operation, date })',
  },
  {
    name: 'a date that is the default, given and then left out, is another request',
    file: 'shared/amoe/spin-orders.ts',
    from: 'date === undefined ? today : date === today ? null : undefined;',
    to: 'date === undefined ? today : undefined;',
  },
  {
    name: 'the last shard of orders is never looked at',
    file: 'shared/amoe/start-spin-run.ts',
    from: 'Array.from({ length: spinShards }',
    to: 'Array.from({ length: spinShards - 1 }',
  },
  {
    name: 'a spin run in the evening takes on what is due at midnight',
    file: 'shared/amoe/start-spin-run.ts',
    from: '({ shard, day: dayOf(asOf) })',
    to: '({ shard, day: new Date(asOf).toISOString().slice(0, 10) })',
  },
];
