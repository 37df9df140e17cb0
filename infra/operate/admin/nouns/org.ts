import { changeSettings } from '../../../../shared/actions/change-settings.ts';
import { createOrganization } from '../../../../shared/actions/create-organization.ts';
import { readAttentionItems } from '../attention.ts';
import { command, org } from '../command.ts';
import { listOrganizations } from '../organization.ts';

const suspension = (summary: string, suspended: boolean) =>
  command({
    effect: 'changes',
    summary,
    required: { org },
    requiresReason: true,
    async run({ org }, { stage, ...context }) {
      await changeSettings(org, { suspended }, context);
      return { print: { organization_id: org, suspended } };
    },
  });

export const verbs = {
  list: command({
    effect: 'reads',
    summary: 'List the organizations of the stage, oldest first',
    required: {},
    run: async () => ({ print: { organizations: await listOrganizations() } }),
  }),
  attention: command({
    effect: 'reads',
    summary: 'List what needs an operator now, each with the step that fits',
    required: { org },
    run: async ({ org }, { stage, now }) => ({ print: { items: await readAttentionItems(org, stage, now) } }),
  }),
  create: command({
    effect: 'changes',
    summary: 'Create an organization and its first API key, which is shown only once',
    required: { name: 'name' },
    async run({ name }, { stage, ...context }) {
      return { print: await createOrganization(name, stage, context) };
    },
  }),
  suspend: suspension(
    'Refuse all changes to an organization, within a minute; reads continue, and due free spins wait',
    true,
  ),
  resume: suspension('Resume a suspended organization; waiting free spins run within 15 minutes', false),
};
