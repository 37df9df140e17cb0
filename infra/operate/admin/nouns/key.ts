import { createApiKey, revokeApiKey } from '../../../../shared/actions/change-keys.ts';
import { listApiKeys } from '../../../../shared/organizations/api-keys.ts';
import { command, org } from '../command.ts';

export const verbs = {
  create: command({
    effect: 'changes',
    summary: 'Create another API key, which is shown only once; an organization can have two active keys',
    required: { org },
    async run({ org }, { stage, ...context }) {
      return { print: { organization_id: org, api_key: await createApiKey(org, stage, context) } };
    },
  }),
  revoke: command({
    effect: 'changes',
    summary: 'Revoke an API key permanently; the gateway may accept it for one more minute',
    required: { org, key: 'key id' },
    async run({ org, key }, context) {
      await revokeApiKey(org, key, context);
      return { print: { organization_id: org, key_id: key, revoked: true } };
    },
  }),
  list: command({
    effect: 'reads',
    summary: "List an organization's API keys, including revoked ones; the keys themselves are not stored",
    required: { org },
    async run({ org }) {
      return { print: { organization_id: org, keys: await listApiKeys(org) } };
    },
  }),
};
