import type { RoundTrips } from '../support/round-trips.ts';

export const docs: RoundTrips[] = [
  {
    endpoint: 'docs/open',
    when: 'a guide is read',
    request: async () => ({ query: { page: 'start' } }),
    calls: [],
    status: 200,
  },
];
