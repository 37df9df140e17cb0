import { createOrganization } from '../../../shared/games/open-organization.ts';
import { mostShards, spreadRecords } from '../../../shared/reports/spread-records.ts';
import { isoOf } from '../../../shared/time.ts';
import { command } from '../command.ts';
import { wholeNumber } from '../whole-number.ts';

export const verbs = {
  create: command({
    summary: 'Make an organization and its first API key, which is shown this once',
    required: { name: 'name' },
    async run({ name }, { stage, ...by }) {
      return { print: await createOrganization(name, stage, by) };
    },
  }),
  spread: command({
    summary:
      'Spread the records of an organization over more shards, for more than 1,000 of a kind a second; never fewer again',
    required: { org: 'organization id', shards: `2 to ${mostShards}` },
    async run({ org, shards }, { now }) {
      const { from, ...spread } = await spreadRecords(org, wholeNumber('shards', shards, mostShards), now);
      return { print: { organization_id: org, ...spread, from: isoOf(from) } };
    },
  }),
};
