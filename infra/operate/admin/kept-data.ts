import {
  CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import type { Stage } from '../../../shared/stage.ts';
import { Problem } from '../../common/problem.ts';
import { stackNameOf } from '../../deploy/stages.ts';

/** The property by which CloudFormation imports a resource. Kept logs are not imported: a new stack has its own. */
const identifiers: Record<string, string> = { 'AWS::DynamoDB::Table': 'TableName', 'AWS::KMS::Key': 'KeyId' };

/**
 * Returns the resource mapping for `cdk import` of what a deleted stack kept. CloudFormation knows deleted stacks for
 * 90 days. Throws a Problem unless exactly one stack kept something, or `stackId` names one.
 */
export async function readKeptData(stage: Stage, stackId?: string) {
  if (stage === 'local') return {};
  const client = new CloudFormationClient({});
  const kept: { id: string; deleted: string | undefined; mapping: Record<string, object> }[] = [];
  for await (const page of paginateListStacks({ client }, { StackStatusFilter: ['DELETE_COMPLETE'] })) {
    for (const { StackName, StackId: id = '', DeletionTime } of page.StackSummaries ?? []) {
      if (StackName !== stackNameOf(stage) || (stackId ?? id) !== id) continue;
      const mapping = await mappingOf(client, id);
      if (Object.keys(mapping).length > 0) kept.push({ id, deleted: DeletionTime?.toISOString(), mapping });
    }
  }
  const [found, ...others] = kept;
  if (!found) throw new Problem(`No deleted stack ${stackNameOf(stage)} of the last 90 days kept data.`);
  if (others.length === 0) return found.mapping;
  const choices = kept.map(({ id, deleted, mapping }) => `${deleted} ${id} ${JSON.stringify(mapping)}`);
  throw new Problem(`Several deleted stacks kept data. Choose one with --stack:\n${choices.join('\n')}`);
}

async function mappingOf(client: CloudFormationClient, StackName: string): Promise<Record<string, object>> {
  const kept: StackResourceSummary[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    kept.push(...StackResourceSummaries.filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_SKIPPED'));
  return Object.fromEntries(
    kept.flatMap(({ ResourceType = '', LogicalResourceId = '', PhysicalResourceId }) => {
      const identifier = identifiers[ResourceType];
      return identifier ? [[LogicalResourceId, { [identifier]: PhysicalResourceId }]] : [];
    }),
  );
}
