import { Refusal } from '../../../shared/refusals.ts';
import { Unanswered } from '../../../shared/retry.ts';
import { stackNameOf } from '../../deploy/stages.ts';

const logIn = 'Log in (for example `aws sso login`), or set AWS_PROFILE, and try again.';
const hints: Record<string, string> = {
  CredentialsProviderError: `No AWS credentials were found. ${logIn}`,
  ExpiredToken: `The AWS credentials have expired. ${logIn}`,
  ExpiredTokenException: `The AWS credentials have expired. ${logIn}`,
  UnrecognizedClientException: `AWS rejected these credentials. ${logIn}`,
  InvalidClientTokenId: `AWS rejected these credentials. ${logIn}`,
  Throttled: 'The database was too busy. Run it again.',
  ResourceNotFoundException: `The table does not exist. Check that ${stackNameOf('staging')} or ${stackNameOf('production')} is deployed to this account and region.`,
};

export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message.includes('Region is missing')) {
    return 'No AWS region is set. Set AWS_REGION to the region that the stage is deployed to.';
  }
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'The database does not respond. Is the local stage still running?';
  }
  if (error instanceof Unanswered || (error instanceof Refusal && error.code === 'outcome_unknown')) {
    return 'It may have been done. Check before you run it again: npm run admin -- audit list';
  }
  if (error instanceof Refusal && error.code === 'unavailable') {
    return 'Nothing was done: the data was being changed by others, or the database was too busy. Run it again.';
  }
  return hints[error.name] ?? error.message;
}
