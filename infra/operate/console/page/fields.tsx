import type { ShownCommand } from '../bridge.ts';
import type { CommandValues } from './commands.ts';
import { labelOf } from './format.ts';

type Props = {
  command: ShownCommand;
  preset: CommandValues;
  typed: CommandValues;
  change: (values: CommandValues) => void;
};

/** Input fields for the command's options that have no preset value. */
export function OptionFields({ command, preset, typed, change }: Props) {
  const { required, optional, flags, effect } = command;
  const set = (name: string, value: string | boolean) => change({ ...typed, [name]: value });
  // Asks for the reason of every change. The command line requires a reason only for some changes.
  const needed = { ...required, ...(effect === 'changes' && { why: 'recorded with the change' }) };
  const options = Object.entries({ ...required, ...optional, ...needed }).filter(
    ([name, word]) => !(name in preset) && !word.endsWith('folder'),
  );
  return (
    <>
      {options.map(([name, word]) => (
        <label key={name} class="field" htmlFor={`option-${name}`}>
          <span>{name === 'why' ? 'Reason' : labelOf(name)}</span>
          <Field
            id={`option-${name}`}
            word={word}
            required={name in needed}
            value={String(typed[name] ?? '')}
            onInput={({ currentTarget }) => set(name, currentTarget.value)}
          />
          <small>
            {word}
            {name in needed ? '' : ', optional'}
          </small>
        </label>
      ))}
      {flags
        .filter((name) => !(name in preset) && name !== 'csv')
        .map((name) => (
          <label key={name} class="flag">
            <input
              type="checkbox"
              checked={typed[name] === true}
              onChange={({ currentTarget }) => set(name, currentTarget.checked)}
            />
            {labelOf(name)}
          </label>
        ))}
    </>
  );
}

type FieldProps = {
  id: string;
  required: boolean;
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
};

function Field({ word, ...field }: FieldProps & { word: string }) {
  if (word.endsWith('file')) return <textarea rows={8} {...field} />;
  const choices = /^[\w-]+(\|[\w-]+)+$/.test(word) ? word.split('|') : ['number'];
  if (choices.some((one) => ['number', 'USD'].includes(one)))
    return <input type={word.startsWith('YYYY-MM-DD') ? 'date' : 'text'} {...field} />;
  return (
    <select {...field}>
      <option value="" />
      {choices.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
