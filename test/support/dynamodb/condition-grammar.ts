/** Parses condition, filter and key condition expressions. */
import { type Condition, type Operand, reader, readList, readOperand, type Tokens } from './grammar.ts';
import { validation } from './validation.ts';

/** The number of operands of each boolean function in conditions. */
const tests: Record<string, number> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
};
const comparator = /^(?:=|<>|<=|>=|<|>)$/;

// The parsed content of parentheses: either a condition or an operand.
type Part = Condition | Operand;
const isOperand = (part: Part): part is Operand => ['path', 'value', 'call', 'sum'].includes(part.kind);

export const readCondition = reader('ConditionExpression', readWhole);
export const readFilter = reader('FilterExpression', readWhole);
export const readKeyCondition = reader('KeyConditionExpression', readWhole);

function readWhole(tokens: Tokens): Condition {
  return condition(readEither(tokens), tokens);
}

function readEither(tokens: Tokens): Part {
  let left = readBoth(tokens);
  while (tokens.take('OR')) {
    left = { kind: 'or', of: [condition(left, tokens), condition(readBoth(tokens), tokens)] };
  }
  return left;
}

function readBoth(tokens: Tokens): Part {
  let left = readNegated(tokens);
  while (tokens.take('AND')) {
    left = { kind: 'and', of: [condition(left, tokens), condition(readNegated(tokens), tokens)] };
  }
  return left;
}

function readNegated(tokens: Tokens): Part {
  if (!tokens.take('NOT')) return readTest(tokens);
  return { kind: 'not', of: [condition(readNegated(tokens), tokens)] };
}

function readTest(tokens: Tokens): Part {
  const first = readPart(tokens);
  if (!isOperand(first)) return first;
  const operator = tokens.match(comparator);
  if (operator !== undefined) return test(operator, [first, operand(readPart(tokens), tokens)]);
  if (tokens.take('BETWEEN')) {
    const min = operand(readPart(tokens), tokens);
    tokens.expect('AND');
    return test('BETWEEN', [first, min, operand(readPart(tokens), tokens)]);
  }
  if (tokens.take('IN')) {
    tokens.expect('(');
    const choices = readList(tokens, (rest) => operand(readPart(rest), rest));
    tokens.expect(')');
    return test('IN', [first, ...choices]);
  }
  return first;
}

function readPart(tokens: Tokens): Part {
  if (!tokens.take('(')) return readOperand(tokens);
  const nested = tokens.next() === '(';
  const part = readEither(tokens);
  // DynamoDB refuses ((a = b)), but accepts ((a = b) AND c = d).
  if (nested && tokens.next() === ')' && inParentheses.has(part)) {
    throw validation('The expression has redundant parentheses;');
  }
  tokens.expect(')');
  inParentheses.add(part);
  return part;
}

const inParentheses = new WeakSet<Part>();

const test = (operator: string, of: Operand[]): Condition => ({ kind: 'test', operator, of });

function condition(part: Part, tokens: Tokens): Condition {
  if (!isOperand(part)) return part;
  if (part.kind !== 'call') return tokens.fail();
  if (part.name === 'size') throw misused(part.name);
  const count = tests[part.name];
  if (count === undefined) throw validation(`Invalid function name; function: ${part.name}`);
  if (part.of.length !== count) {
    throw validation(
      `Incorrect number of operands for operator or function; operator or function: ${part.name}, ` +
        `number of operands: ${part.of.length}`,
    );
  }
  return test(part.name, part.of);
}

function operand(part: Part, tokens: Tokens): Operand {
  return isOperand(part) ? part : tokens.fail();
}

const misused = (name: string) =>
  validation(`The function is not allowed to be used this way in an expression; function: ${name}`);
