/** Splits expressions into tokens, parses paths and operands, and caches the parsed expressions by text. */
import { isReserved } from './reserved-words.ts';
import { validation } from './validation.ts';

/** A path in an item. A step is an attribute name, a name's placeholder, or a list index. */
export type Path = { kind: 'path'; steps: (string | number)[] };
export type Operand =
  | Path
  | { kind: 'value'; name: string }
  | { kind: 'call'; name: string; of: Operand[] }
  | { kind: 'sum'; operator: '+' | '-'; of: [Operand, Operand] };
export type Condition =
  | { kind: 'and' | 'or'; of: [Condition, Condition] }
  | { kind: 'not'; of: [Condition] }
  | { kind: 'test'; operator: string; of: Operand[] };
export type Action = { section: Section; path: Path; operand?: Operand };
export type Section = 'SET' | 'REMOVE' | 'ADD' | 'DELETE';

/** A parsed expression, and the placeholders of names and values in its text. */
export type Parsed<T> = { says: T; names: Set<string>; values: Set<string> };

/** The tokens of an expression, consumed from left to right. */
export type Tokens = {
  /** Consumes the next token if it equals `token`, ignoring case. Returns whether the token was consumed. */
  take(token: string): boolean;
  /** Consumes the next token. Throws a ValidationException if the next token is not `token`. */
  expect(token: string): void;
  /** Consumes and returns the next token if it matches a pattern. */
  match(pattern: RegExp): string | undefined;
  /** Returns the next token in upper case without consuming it, or undefined at the end. */
  next(): string | undefined;
  fail(): never;
};

const token = /\s*(?:([#:][A-Za-z0-9_]+|[A-Za-z][A-Za-z0-9_]*|\d+|<>|<=|>=|[=<>()[\],.+-])|(\S))/gy;
const keywords = new Set('AND OR NOT BETWEEN IN SET REMOVE ADD DELETE'.split(' '));
const maxLength = 4096;

/** Creates a parser for one kind of expression. The parser caches its results by text. */
export function reader<T>(kind: string, parse: (tokens: Tokens) => T): (text: unknown) => Parsed<T> {
  const known = new Map<string, Parsed<T>>();
  const read = (text: string): Parsed<T> => {
    const tokens = tokensOf(text, kind);
    const says = parse(tokens);
    if (tokens.next() !== undefined) tokens.fail();
    const all = text.match(/[#:][A-Za-z0-9_]+/g) ?? [];
    return {
      says,
      names: new Set(all.filter((name) => name.startsWith('#'))),
      values: new Set(all.filter((name) => name.startsWith(':'))),
    };
  };
  return (text) => {
    if (typeof text !== 'string' || text === '') {
      throw validation(`Invalid ${kind}: The expression can not be empty;`);
    }
    const parsed = known.get(text) ?? read(text);
    known.set(text, parsed);
    return parsed;
  };
}

function tokensOf(text: string, kind: string): Tokens {
  if (text.length > maxLength) {
    throw validation(`Invalid ${kind}: Expression size has exceeded the maximum allowed size;`);
  }
  const list: string[] = [];
  for (const [, good, bad] of text.matchAll(token)) {
    if (bad !== undefined) throw validation(`Invalid ${kind}: Syntax error; token: "${bad}"`);
    list.push(good!);
  }
  let at = 0;
  const fail = (): never => {
    throw validation(`Invalid ${kind}: Syntax error; token: "${list[at] ?? '<EOF>'}"`);
  };
  const take = (wanted: string) => {
    if (list[at]?.toUpperCase() !== wanted) return false;
    at++;
    return true;
  };
  return {
    take,
    expect: (wanted) => {
      if (!take(wanted)) fail();
    },
    match: (pattern) => {
      const found = list[at];
      if (found === undefined || !pattern.test(found)) return undefined;
      at++;
      return found;
    },
    next: () => list[at]?.toUpperCase(),
    fail,
  };
}

export function readPath(tokens: Tokens): Path {
  const first = readName(tokens) ?? tokens.fail();
  return { kind: 'path', steps: readSteps(first, tokens) };
}

const name = /^[#A-Za-z]/;
const digits = /^\d/;

function readName(tokens: Tokens): string | undefined {
  const next = tokens.next();
  if (next !== undefined && keywords.has(next)) tokens.fail();
  const found = tokens.match(name);
  if (found !== undefined && isReserved(found)) {
    throw validation(`Attribute name is a reserved keyword; reserved keyword: ${found}`);
  }
  return found;
}

function readSteps(first: string, tokens: Tokens): Path['steps'] {
  const steps: Path['steps'] = [first];
  for (;;) {
    if (tokens.take('.')) steps.push(readName(tokens) ?? tokens.fail());
    else if (tokens.take('[')) {
      const index = Number(tokens.match(digits) ?? tokens.fail());
      if (index >= 2 ** 31)
        throw validation(`List index is not within the allowable range; index: [${index}]`);
      steps.push(index);
      tokens.expect(']');
    } else return steps;
  }
}

/** Parses an operand: a path, a placeholder of a value or a function call. */
export function readOperand(tokens: Tokens): Operand {
  const value = tokens.match(/^:/);
  if (value !== undefined) return { kind: 'value', name: value };
  const next = tokens.next();
  if (next === undefined || keywords.has(next)) tokens.fail();
  const first = tokens.match(name) ?? tokens.fail();
  if (tokens.next() !== '(') {
    if (isReserved(first)) {
      throw validation(`Attribute name is a reserved keyword; reserved keyword: ${first}`);
    }
    return { kind: 'path', steps: readSteps(first, tokens) };
  }
  tokens.expect('(');
  const of = readList(tokens, readOperand);
  tokens.expect(')');
  return { kind: 'call', name: first, of };
}

/** Parses a comma-separated list with at least one part. */
export function readList<T>(tokens: Tokens, readPart: (tokens: Tokens) => T): T[] {
  const parts: T[] = [];
  do parts.push(readPart(tokens));
  while (tokens.take(','));
  return parts;
}
