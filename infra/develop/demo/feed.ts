import type { ServerResponse } from 'node:http';
import type { PanelStep, PersonId, ServerEvent } from './model.ts';

const maxSteps = 60;

type Omitted<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never;

export type PageFeed = {
  /** Adds a page until its connection closes. Sends the page the events in `first` and all stored steps. */
  add: (response: ServerResponse, person: PersonId | null, first: ServerEvent[]) => void;
  /** Sends a step to all pages. They don't see later changes of its object. */
  addStep: (step: Omitted<PanelStep>) => void;
  send: (person: PersonId, event: ServerEvent) => void;
};

export function createPageFeed(): PageFeed {
  const pages = new Map<ServerResponse, PersonId | null>();
  const steps: PanelStep[] = [];
  let count = 0;
  return {
    add(response, person, first) {
      for (const event of first) write(response, event);
      for (const step of steps) write(response, { type: 'step', step });
      pages.set(response, person);
      response.on('close', () => pages.delete(response));
    },
    addStep(unnumbered) {
      const step: PanelStep = { ...unnumbered, id: ++count, at: new Date().toISOString() };
      steps.push(step);
      steps.splice(0, steps.length - maxSteps);
      for (const page of pages.keys()) write(page, { type: 'step', step });
    },
    send(person, event) {
      for (const [page, viewer] of pages) if (viewer === person) write(page, event);
    },
  };
}

const write = (response: ServerResponse, event: ServerEvent) =>
  response.write(`data: ${JSON.stringify(event)}\n\n`);
