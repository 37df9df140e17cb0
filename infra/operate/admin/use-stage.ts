import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { type Environment, optionalVariable, variableNames } from '../../../shared/environment.ts';
import type { Stage } from '../../../shared/stage.ts';
import { Problem } from '../../common/problem.ts';
import { requireStageFile } from '../../common/stage-file.ts';
import { type DeployedStage, stackNameOf, stackOutputName } from '../../deploy/stages.ts';

/**
 * Sets the variables of a stage. Keeps TABLE_NAME if it is set: after a restore, it can name the damaged table. Throws
 * a Problem if the stage is not deployed.
 */
export async function enterStage(stage: Stage, print: (text: string) => void): Promise<void> {
  Object.assign(process.env, { STAGE: stage } satisfies Environment);
  const table = optionalVariable('TABLE_NAME');
  if (table) print(`Using the table ${table} from TABLE_NAME.`);
  // Tests and simulated worlds set all variables, because they have no stack and no stage file.
  if (table && optionalVariable('DRAW_KEY_ARN')) return;
  const environment = stage === 'local' ? requireStageFile().environment : await ofStack(stage);
  Object.assign(process.env, environment, table && { TABLE_NAME: table });
}

async function ofStack(stage: DeployedStage): Promise<Environment> {
  const StackName = stackNameOf(stage);
  const answer = await new CloudFormationClient({})
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error: unknown) => {
      if (error instanceof Error && error.message.includes('does not exist')) throw notDeployed(stage);
      throw error;
    });
  const outputs = answer.Stacks?.[0]?.Outputs ?? [];
  const environment = variableNames.flatMap((variable) => {
    const output = outputs.find(({ OutputKey }) => OutputKey === stackOutputName(variable));
    return output ? [[variable, output.OutputValue]] : [];
  });
  return Object.fromEntries(environment);
}

const notDeployed = (stage: DeployedStage) =>
  new Problem(
    `There is no stack ${stackNameOf(stage)} in this account and region. ` +
      `Check AWS_PROFILE and AWS_REGION, or deploy it: npx cdk deploy -c stage=${stage}`,
  );
