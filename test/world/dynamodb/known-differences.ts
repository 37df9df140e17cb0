/**
 * Known differences between DynamoDB Local and AWS, where the simulation follows AWS. README.md lists the
 * sources.
 */
import type { Answer } from './differential.ts';

type Difference = (operation: string, ours: Answer, theirs: Answer) => boolean;

/** Returns whether a difference between two answers is a known one. */
export const isKnown: Difference = (operation, ours, theirs) =>
  differences.some((difference) => difference(operation, ours, theirs));

/** Errors that AWS detects during an update. In a transaction they become the reason of that part. */
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
  // AWS checks the condition before it evaluates the update. DynamoDB Local does so only in transactions.
  (operation, ours, theirs) =>
    operation === 'UpdateItem' && ours.error === 'ConditionalCheckFailedException' && isOfEvaluation(theirs),
  // AWS reports the error as the reason of one part.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' && isInvalid(ours) && isOfEvaluation(theirs),
  // AWS has a reason for every part.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    isInvalid(ours) &&
    isInvalid(theirs) &&
    reasonsOf(theirs).length < reasonsOf(ours).length,
  // AWS checks the keys before it executes anything.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    /multiple operations on one item/.test(ours.message ?? '') &&
    theirs.error === 'TransactionCanceledException',
  // The request has two errors, an empty key and a reused token. It does not matter which one is reported.
  (operation, ours, theirs) =>
    operation === 'TransactWriteItems' &&
    ours.error === 'ValidationException' &&
    theirs.error === 'IdempotentParameterMismatchException',
];
