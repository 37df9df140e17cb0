/**
 * Recognizes the known differences between DynamoDB Local and AWS. In these cases the simulation follows AWS.
 * README.md lists the sources.
 */
import type { Answer } from './differential.ts';

type Difference = (operation: string, ours: Answer, theirs: Answer) => boolean;

/**
 * Returns whether the difference between the simulation's response (`ours`) and that of DynamoDB Local
 * (`theirs`) is a known one.
 */
export const isKnown: Difference = (operation, ours, theirs) =>
  differences.some((difference) => difference(operation, ours, theirs));

/**
 * Messages of the errors that AWS detects while evaluating an update. In a transaction, AWS reports such an
 * error as the reason of the update's part.
 */
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
  // AWS reports an invalid update as the reason of one part. DynamoDB Local reports the error of the whole
  // request.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' && isInvalid(ours) && isOfEvaluation(theirs),
  // AWS reports a reason for every part of a transaction. DynamoDB Local omits some.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    isInvalid(ours) &&
    isInvalid(theirs) &&
    reasonsOf(theirs).length < reasonsOf(ours).length,
  // AWS refuses two parts with the same key before checking any condition. DynamoDB Local checks the
  // conditions first.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    /multiple operations on one item/.test(ours.message ?? '') &&
    theirs.error === 'TransactionCanceledException',
  // The request has two errors: an empty key and a reused token. Either may be reported.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    ours.error === 'ValidationException' &&
    theirs.error === 'IdempotentParameterMismatchException',
];
