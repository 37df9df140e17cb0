import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { dynamodb } from '../../../shared/aws.ts';
import type { Stage } from '../../../shared/stage.ts';

/**
 * Who runs a command, for the records of what it changes: the AWS identity that its calls are signed with, as
 * its ARN. The local stage knows no identities; there it is the name of the key.
 */
export async function operatorOf(stage: Stage): Promise<string> {
  if (stage === 'local') return (await dynamodb().config.credentials()).accessKeyId;
  const { Arn } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  if (!Arn) throw new Error('AWS does not say who these credentials belong to.');
  return Arn;
}
