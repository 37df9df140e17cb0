import { type Stack, Validations } from 'aws-cdk-lib';

/** Findings of the AWS Solutions checks that are meant to be as they are, each with its reason. */
export function acknowledgeFindings(stack: Stack): void {
  void stack;
  void Validations;
}
