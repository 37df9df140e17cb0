import { createApiKey, revokeApiKey } from '../../../../shared/operations/change-keys.ts';
import { listApiKeys } from '../../../../shared/organizations/api-keys.ts';
import { command } from '../command.ts';

export const verbs = {
  create: command({
    effect: 'changes',
    summary: 'Make a further API key, which is shown this once; two can be live at a time',
    required: { org: 'organization id' },
    async run({ org }, { stage, ...by }) {
      return { print: { organization_id: org, api_key: await createApiKey(org, stage, by) } };
    },
  }),
  revoke: command({
    effect: 'changes',
    summary: 'Revoke an API key for good; the gateway may honour it for one more minute',
    required: { org: 'organization id', key: 'key id' },
    async run({ org, key }, by) {
      await revokeApiKey(org, key, by);
      return { print: { organization_id: org, key_id: key, revoked: true } };
    },
  }),
  list: command({
    effect: 'reads',
    summary: "List an organization's API keys, the revoked ones too; nothing secret is kept of them",
    required: { org: 'organization id' },
    async run({ org }) {
      return { print: { organization_id: org, keys: await listApiKeys(org) } };
    },
  }),
};
