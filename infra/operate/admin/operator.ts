import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { dynamodb } from '../../../shared/aws.ts';
import type { Stage } from '../../../shared/stage.ts';

export async function readOperator(stage: Stage): Promise<string> {
  if (stage === 'local') return (await dynamodb().config.credentials()).accessKeyId;
  const { Arn } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  if (!Arn) throw new Error('AWS returned no identity for these credentials.');
  return Arn;
}
