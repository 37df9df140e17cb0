import type { ServerResponse } from 'node:http';
import type { PanelStep, PersonId, ServerEvent } from './model.ts';

const maxSteps = 60;

type Omitted<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never;

export type PageFeed = ReturnType<typeof createPageFeed>;

export function createPageFeed() {
  const pages = new Map<ServerResponse, PersonId | null>();
  const steps: PanelStep[] = [];
  let count = 0;
  return {
    /** Adds a page until its connection closes. Sends the page the events in `first` and all stored steps. */
    add(response: ServerResponse, person: PersonId | null, first: ServerEvent[]) {
      for (const event of first) write(response, event);
      for (const step of steps) write(response, { type: 'step', step });
      pages.set(response, person);
      response.on('close', () => pages.delete(response));
    },
    /** Sends a step to all pages. They don't see later changes of its object. */
    addStep(unnumbered: Omitted<PanelStep>) {
      const step: PanelStep = { ...unnumbered, id: ++count, at: new Date().toISOString() };
      steps.push(step);
      steps.splice(0, steps.length - maxSteps);
      for (const page of pages.keys()) write(page, { type: 'step', step });
    },
    send(person: PersonId, event: ServerEvent) {
      for (const [page, viewer] of pages) if (viewer === person) write(page, event);
    },
  };
}

const write = (response: ServerResponse, event: ServerEvent) =>
  response.write(`data: ${JSON.stringify(event)}\n\n`);
