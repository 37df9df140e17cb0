/** The IAM permissions that calls to AWS need, each as a text such as `dynamodb:GetItem on table`. */
import { deadLetterQueueName } from '../../infra/deploy/workers.ts';
import { bookKeyArn, drawKeyArn, keyArn } from '../../infra/develop/local/aws/kms.ts';
import type { Access } from '../../shared/api/route.ts';
import type { Call } from './aws.ts';

const keyNames: Record<string, string> = {
  [keyArn]: 'key',
  [drawKeyArn]: 'draw key',
  [bookKeyArn]: 'book key',
};

const actionOfPart: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

export function permissionsOf({ service, operation, input }: Omit<Call, 'caller'>): string[] {
  if (service === 'dynamodb') {
    const parts: object[] | undefined = input.TransactItems;
    const actions = parts?.map((part) => actionOfPart[Object.keys(part)[0]!]) ?? [operation];
    return actions.map((action) => `dynamodb:${action} on ${input.IndexName ? 'index' : 'table'}`);
  }
  if (service === 'sqs') {
    return [`sqs:${operation.replace(/Batch$/, '')} on ${input.QueueUrl.split('/').at(-1)}`];
  }
  return [`${service}:${operation} on ${keyNames[input.KeyId]}`];
}

export function declaredPermissions(access: Access): string[] {
  const { table = [], index, sends = [], parks = [], key = [], draws, signs } = access;
  return [
    ...table.map((action) => `dynamodb:${action} on table`),
    ...(index ? ['dynamodb:Query on index'] : []),
    ...[...sends, ...parks.map(deadLetterQueueName)].map((queue) => `sqs:SendMessage on ${queue}`),
    ...key.map((action) => `kms:${action} on key`),
    ...(draws ? ['kms:GenerateMac on draw key'] : []),
    ...(signs ? ['kms:Sign on book key', 'kms:GetPublicKey on book key'] : []),
  ];
}
