/** Sends events to the open pages, as server-sent events. */
import type { ServerResponse } from 'node:http';
import type { Person, ServerEvent, Step } from './model.ts';

/** Number of past steps that a newly opened page receives. */
const mostSteps = 60;

type Omitted<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never;

/** Open pages and the latest steps. */
export type Feed = {
  /** Adds a page until it is closed. Sends it the given events and all past steps. */
  add: (response: ServerResponse, person: Person | null, first: ServerEvent[]) => void;
  /** Adds a step and sends it to all pages. Later changes to the step are not sent. */
  addStep: (step: Omitted<Step>) => void;
  /** Sends an event to the pages where a person is signed in. */
  send: (person: Person, event: ServerEvent) => void;
};

export function createFeed(): Feed {
  const pages = new Map<ServerResponse, Person | null>();
  const steps: Step[] = [];
  let count = 0;
  return {
    add(response, person, first) {
      for (const event of first) write(response, event);
      for (const step of steps) write(response, { type: 'step', step });
      pages.set(response, person);
      response.on('close', () => pages.delete(response));
    },
    addStep(unnumbered) {
      const step: Step = { ...unnumbered, id: ++count, at: new Date().toISOString() };
      steps.push(step);
      steps.splice(0, steps.length - mostSteps);
      for (const page of pages.keys()) write(page, { type: 'step', step });
    },
    send(person, event) {
      for (const [page, of] of pages) if (of === person) write(page, event);
    },
  };
}

const write = (response: ServerResponse, event: ServerEvent) =>
  response.write(`data: ${JSON.stringify(event)}\n\n`);
