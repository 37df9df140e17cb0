/** What the open pages are told as it happens, by server-sent events. */
import type { ServerResponse } from 'node:http';
import type { Person, Step, Told } from './shown.ts';

/** Steps that a page gets that is opened later. */
const mostSteps = 60;

type Omitted<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never;

/** The pages that are open, and the steps that they are told of. */
export type Feed = {
  /** Adds a page, told of all steps so far and whatever else comes first, until it is closed. */
  add: (response: ServerResponse, person: Person | null, first: Told[]) => void;
  /** Tells all pages of a step; calls of it may be added to until then. */
  tellStep: (step: Omitted<Step>) => void;
  /** Tells the pages at which a person is signed in. */
  tell: (person: Person, told: Told) => void;
};

export function createFeed(): Feed {
  const pages = new Map<ServerResponse, Person | null>();
  const steps: Step[] = [];
  let count = 0;
  return {
    add(response, person, first) {
      for (const told of first) send(response, told);
      for (const step of steps) send(response, { type: 'step', step });
      pages.set(response, person);
      response.on('close', () => pages.delete(response));
    },
    tellStep(made) {
      const step: Step = { ...made, id: ++count, at: new Date().toISOString() };
      steps.push(step);
      steps.splice(0, steps.length - mostSteps);
      for (const page of pages.keys()) send(page, { type: 'step', step });
    },
    tell(person, told) {
      for (const [page, of] of pages) if (of === person) send(page, told);
    },
  };
}

const send = (response: ServerResponse, told: Told) => response.write(`data: ${JSON.stringify(told)}\n\n`);
