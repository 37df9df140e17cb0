/** Rules of the events that hosts read forward with a cursor. */
import type { Exchange } from '../../journal.ts';
import { idOf, toldOf } from '../item-types.ts';
import { eventsOfRecord, recordIn } from './events.ts';
import { exchangesOf, groupBy, nameOf, succeeded } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever is answered
type Event = any;
const eventsIn = ({ answer }: Exchange): Event[] => answer!.body.events;

/** A host that follows its cursor to the end reads every event of its organization. */
const readAll: EndRule = {
  rule: 'a host that follows its cursor misses no event',
  check(world, report) {
    const pages = exchangesOf(world, 'events/list').filter(succeeded);
    const ofHosts = groupBy(pages, ({ organizationId, query }) =>
      query.user_id ? undefined : organizationId,
    );
    for (const [organizationId, read] of ofHosts) {
      if (!read.at(-1)!.answer!.body.is_all) continue;
      const names = read.flatMap((page) => eventsIn(page).map((event) => `${event.type} ${recordIn(event)}`));
      const known = new Set(names);
      for (const record of world.of('record')) {
        if (record.organization_id !== organizationId) continue;
        for (const { type } of eventsOfRecord(record))
          if (!known.has(`${type} ${toldOf(record)}`))
            report(`${organizationId} missed ${type} of ${idOf(record)}`);
      }
    }
  },
};

/** In an event list, each user's events are in order and numbered without gaps, also from one page to the next. */
const inOrder: EndRule = {
  rule: 'events are in order and without a gap, on a page and across pages',
  check(world, report) {
    /** For each cursor, the sequence number of each user's last event before the cursor. */
    const lastAt = new Map<string, Map<string, number>>();
    for (const page of exchangesOf(world, 'events/list').filter(succeeded)) {
      const events = eventsIn(page);
      if (events.length > Number(page.query.limit ?? 100)) report(`${nameOf(page)} has too many events`);
      const last = new Map(lastAt.get(String(page.query.after)));
      for (const { sequence, data } of events.filter(({ type }) => !/^drawing_/.test(type))) {
        const before = last.get(data.user_id) ?? sequence;
        if (sequence !== before && sequence !== before + 1)
          report(`${nameOf(page)} has ${data.user_id}'s event ${sequence} after ${before}`);
        last.set(data.user_id, sequence);
      }
      lastAt.set(page.answer!.body.next, last);
    }
  },
};

export const eventListRules = [readAll, inOrder];
