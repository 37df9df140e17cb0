/** Makes invalid commands, to compare the simulation's errors with those of DynamoDB Local. */
import type { Random } from '../random.ts';
import type { Command, Input } from './commands.ts';

const kinds = { table: 0.3, field: 1, value: 1, name: 1, unusedValue: 1, unusedName: 1, text: 4 };
const scraps = ['', ' ', '(', ')', ',', '=', '.', 'AND', 'x', '#', ':v9', '-', '1'];

/** Returns a copy of a command with a random defect. Most defects make the command invalid. */
export function invalidCommand(command: Command, random: Random): Command {
  const input = structuredClone(command.input);
  // Leaves batches and transactions unchanged: the code below changes only fields at the top level.
  if ('RequestItems' in input || 'TransactItems' in input) return command;
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input;
  switch (random.weighted(kinds)) {
    case 'table':
      if ('TableName' in input) input.TableName = 'another';
      break;
    case 'field':
      delete input[random.pick(Object.keys(input))];
      break;
    case 'value':
      delete values?.[':v0'];
      break;
    case 'name':
      delete names?.['#n0'];
      break;
    case 'unusedValue':
      // Leaves `GetItem` unchanged, because it has no field `ExpressionAttributeValues`: DynamoDB Local
      // ignores unknown fields, but the simulation refuses them.
      if (command.operation !== 'GetItem') input.ExpressionAttributeValues = { ...values, ':u': { S: 'x' } };
      break;
    case 'unusedName':
      input.ExpressionAttributeNames = { ...names, '#u': 'x' };
      break;
    case 'text':
      spoilText(input, random);
  }
  return { ...command, input };
}

function spoilText(input: Input, random: Random): void {
  const texts = Object.keys(input).filter((name) => name.endsWith('Expression'));
  if (texts.length === 0) return;
  const name = random.pick(texts);
  const text = String(input[name]);
  const at = random.below(text.length);
  input[name] = text.slice(0, at) + random.pick(scraps) + text.slice(at + random.below(3));
}
