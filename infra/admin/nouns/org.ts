import { createOrganization } from '../../../shared/games/open-organization.ts';
import { command } from '../command.ts';

export const verbs = {
  create: command({
    summary: 'Make an organization and its first API key, which is shown this once',
    required: { name: 'name' },
    async run({ name }, { stage, ...by }) {
      return { print: await createOrganization(name, stage, by) };
    },
  }),
};
