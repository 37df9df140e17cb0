/** Parses update and projection expressions. */
import {
  type Action,
  type Operand,
  reader,
  readList,
  readOperand,
  readPath,
  type Section,
  type Tokens,
} from './grammar.ts';
import { validation } from './validation.ts';

export const readUpdate = reader('UpdateExpression', (tokens) => {
  const actions: Action[] = [];
  const seen = new Set<Section>();
  do {
    const section = sections.find((name) => tokens.take(name)) ?? tokens.fail();
    if (seen.has(section)) {
      throw validation(`The "${section}" section can only be used once in an update expression;`);
    }
    seen.add(section);
    actions.push(...readList(tokens, (rest) => readAction(section, rest)));
  } while (tokens.next() !== undefined);
  return actions;
});

export const readProjection = reader('ProjectionExpression', (tokens) => readList(tokens, readPath));

const sections: Section[] = ['SET', 'REMOVE', 'ADD', 'DELETE'];

function readAction(section: Section, tokens: Tokens): Action {
  const path = readPath(tokens);
  if (section === 'REMOVE') return { section, path };
  if (section === 'SET') {
    tokens.expect('=');
    return { section, path, operand: readSum(tokens) };
  }
  const value = tokens.match(/^:/) ?? tokens.fail();
  return { section, path, operand: { kind: 'value', name: value } };
}

function readSum(tokens: Tokens): Operand {
  const first = readTerm(tokens);
  const operator = (['+', '-'] as const).find((sign) => tokens.take(sign));
  return operator ? { kind: 'sum', operator, of: [first, readTerm(tokens)] } : first;
}

function readTerm(tokens: Tokens): Operand {
  if (!tokens.take('(')) return readOperand(tokens);
  const term = readSum(tokens);
  tokens.expect(')');
  return term;
}
