/** Known differences of DynamoDB Local from AWS. The simulation follows AWS. README.md lists the sources. */
import type { Answer } from './differential.ts';

type Difference = (operation: string, ours: Answer, theirs: Answer) => boolean;

/**
 * Returns whether the difference between the simulation's response (`ours`) and that of DynamoDB Local
 * (`theirs`) is a known one.
 */
export const isKnown: Difference = (operation, ours, theirs) =>
  differences.some((difference) => difference(operation, ours, theirs));

/** Errors in evaluating an update. In a transaction, AWS reports such an error as a cancellation reason. */
const evaluation = new Set([
  'The provided expression refers to an attribute that does not exist in the item',
  'An operand in the update expression has an incorrect data type',
  'The document path provided in the update expression is invalid for update',
  'Item size to update has exceeded the maximum allowed size',
  'Invalid attribute value type',
]);
const isOfEvaluation = ({ error, message = '' }: Answer) =>
  error === 'ValidationException' && evaluation.has(message);
const reasonsOf = ({ CancellationReasons: reasons = [] }: Answer): { Code: string; Message?: string }[] =>
  reasons;
const isInvalid = (answer: Answer) => reasonsOf(answer).some(({ Code }) => Code === 'ValidationError');

const differences: Difference[] = [
  // AWS checks an update's condition before evaluating the update. DynamoDB Local evaluates the update first,
  // except in transactions.
  (operation, ours, theirs) =>
    operation === 'UpdateItem' && ours.error === 'ConditionalCheckFailedException' && isOfEvaluation(theirs),
  // For an invalid update in a transaction, AWS reports a cancellation reason, DynamoDB Local a failed
  // request.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' && isInvalid(ours) && isOfEvaluation(theirs),
  // AWS reports a cancellation reason for every part of a transaction. DynamoDB Local omits some reasons.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    isInvalid(ours) &&
    isInvalid(theirs) &&
    reasonsOf(theirs).length < reasonsOf(ours).length,
  // AWS refuses a transaction with duplicate keys before checking conditions. DynamoDB Local checks the
  // conditions first.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    /multiple operations on one item/.test(ours.message ?? '') &&
    theirs.error === 'TransactionCanceledException',
  // For an invalid request with a used token, AWS and DynamoDB Local may report different errors.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    ours.error === 'ValidationException' &&
    theirs.error === 'IdempotentParameterMismatchException',
];
