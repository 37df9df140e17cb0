/** Where DynamoDB Local differs from AWS and the stand-in does not: what README.md lists, with its sources. */
import type { Answer } from './differential.ts';

type Difference = (operation: string, ours: Answer, theirs: Answer) => boolean;

/** Whether a difference between the answers to an operation is one of these. */
export const isKnown: Difference = (operation, ours, theirs) =>
  differences.some((difference) => difference(operation, ours, theirs));

/** What AWS finds out only while it carries an update out, and in a transaction gives as a reason of that part. */
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
  // In a transaction, DynamoDB Local too looks at the condition first.
  (operation, ours, theirs) =>
    operation === 'UpdateItem' && ours.error === 'ConditionalCheckFailedException' && isOfEvaluation(theirs),
  // Of a part of a transaction, AWS says it as a reason.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' && isInvalid(ours) && isOfEvaluation(theirs),
  // AWS has a reason for each part.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    isInvalid(ours) &&
    isInvalid(theirs) &&
    reasonsOf(theirs).length < reasonsOf(ours).length,
  // AWS looks at the keys before it carries anything out.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    /multiple operations on one item/.test(ours.message ?? '') &&
    theirs.error === 'TransactionCanceledException',
  // Which of two mistakes a request is refused for counts for nothing: an empty key, and the token of another request.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    ours.error === 'ValidationException' &&
    theirs.error === 'IdempotentParameterMismatchException',
];
