import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunResult, ShownCommand } from '../bridge.ts';
import { CommandLine } from './command-line.tsx';
import { lineOf, runCommand, type Values } from './commands.ts';
import { useCommand, useStage, useVerbs } from './context.ts';
import { labelOf } from './format.ts';
import { OutputView } from './output.tsx';

type Props = {
  noun: string;
  verb: string;
  preset: Values;
  label?: string;
  title?: string;
  children?: ComponentChildren;
  /** Called when the dialog closes after a command with the effect `changes` has run, even if the command failed. */
  changed?: (() => void) | undefined;
  kind?: 'main' | 'quiet';
  /** Text that the operator has to type before the command can run. */
  typedFirst?: string;
};

export function Change(props: Props) {
  const { noun, verb, label = labelOf(verb), title, kind = 'quiet' } = props;
  const command = useCommand(noun, verb);
  const [isOpen, setOpen] = useState(false);
  if (!command) return null;
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={title && `${label} ${title}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && <Dialog {...props} command={command} label={label} close={() => setOpen(false)} />}
    </>
  );
}

export function Changes({
  noun,
  preset,
  hiddenVerbs = [],
  changed,
}: {
  noun: string;
  preset: Values;
  hiddenVerbs?: string[];
  changed?: () => void;
}) {
  const verbs = Object.entries(useVerbs(noun)).filter(
    ([verb, { required, optional }]) =>
      !hiddenVerbs.includes(verb) &&
      Object.keys(preset).every((name) => name in required || name in optional),
  );
  return verbs.map(([verb]) => (
    <Change key={verb} noun={noun} verb={verb} preset={preset} changed={changed} />
  ));
}

function Dialog({
  noun,
  verb,
  preset,
  label,
  title = label,
  command,
  close,
  changed,
  children,
  typedFirst,
}: Props & {
  command: ShownCommand;
  label: string;
  close: () => void;
}) {
  const stage = useStage();
  const isChange = command.effect === 'changes';
  const [typed, setTyped] = useState<Values>({});
  const [result, setResult] = useState<RunResult | undefined>();
  const [isRunning, setRunning] = useState(false);
  const [confirmation, setConfirmation] = useState('');
  const [hasRun, setHasRun] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Closes the dialog as the Escape key does: the browser restores the focus, and `onClose` calls `end`.
  const closeDialog = () => dialog.current?.close();
  // Calls `changed` only after the dialog closes, because reloading the data may remove this dialog from the
  // page.
  const end = () => {
    close();
    if (hasRun && isChange) changed?.();
  };
  const values = { ...preset, ...typed };
  const run = async () => {
    setRunning(true);
    const done = await runCommand(noun, verb, values).catch((error: Error) => ({
      exit_code: 1,
      message: error.message,
    }));
    setRunning(false);
    setHasRun(true);
    setResult(done);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="change-title"
      onClose={end}
      // Keeps the dialog open while the command runs: a running command cannot be cancelled, and the dialog must show
      // the result.
      onCancel={(event) => isRunning && event.preventDefault()}
    >
      <h2 id="change-title">{title}</h2>
      {children ?? <p>{command.summary}.</p>}
      {result ? (
        <Result
          result={result}
          effect={command.effect}
          close={closeDialog}
          back={() => setResult(undefined)}
        />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <Fields command={command} preset={preset} typed={typed} change={setTyped} />
          {typedFirst !== undefined && (
            <label class="field">
              <span>Type {typedFirst} to confirm</span>
              <input
                value={confirmation}
                onInput={({ currentTarget }) => setConfirmation(currentTarget.value)}
              />
            </label>
          )}
          <CommandLine line={lineOf(noun, verb, shortened(values), stage)} />
          {isChange && stage === 'production' && <p class="warning">This changes production immediately.</p>}
          <div class="buttons">
            <button type="button" class="quiet" disabled={isRunning} onClick={closeDialog}>
              Cancel
            </button>
            <button
              type="submit"
              class="main"
              disabled={isRunning || (typedFirst !== undefined && confirmation !== typedFirst)}
            >
              {isRunning ? 'Running…' : isChange ? `${label} now` : label}
            </button>
          </div>
        </form>
      )}
    </dialog>
  );
}

/** Replaces a file option's text with the file name `table.json`, so that the shown command line is short. */
const shortened = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, name === 'file' ? 'table.json' : value]),
  );

function Result({
  result,
  effect,
  close,
  back,
}: {
  result: RunResult;
  effect: ShownCommand['effect'];
  close: () => void;
  back: () => void;
}) {
  const { exit_code, output, message } = result;
  const summary = exit_code === 0 ? (effect === 'reads' ? 'Result:' : 'Done.') : 'The command failed.';
  return (
    <>
      <p role="status" class={exit_code === 0 ? 'good' : 'bad'}>
        {summary} {message}
      </p>
      {output !== undefined && <OutputView name="Result" output={output} />}
      <div class="buttons">
        {exit_code !== 0 && (
          <button type="button" class="quiet" onClick={back}>
            Back
          </button>
        )}
        <button type="button" class="main" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}

/** Input fields for the command's options that have no preset value. */
function Fields({
  command,
  preset,
  typed,
  change,
}: {
  command: ShownCommand;
  preset: Values;
  typed: Values;
  change: (values: Values) => void;
}) {
  const set = (name: string, value: string | boolean) => change({ ...typed, [name]: value });
  const options = [
    ...Object.entries(command.required).map(([name, word]) => ({ name, word, required: true })),
    ...Object.entries(command.optional).map(([name, word]) => ({ name, word, required: false })),
    // Asks for the reason of every change. The command line requires a reason only for some changes.
    ...(command.effect === 'changes'
      ? [{ name: 'why', word: 'recorded with the change', required: true }]
      : []),
  ].filter(({ name, word }) => !(name in preset) && !word.endsWith('folder'));
  return (
    <>
      {options.map(({ name, word, required }) => (
        <label key={name} class="field" htmlFor={`option-${name}`}>
          <span>{name === 'why' ? 'Reason' : labelOf(name)}</span>
          <Field
            id={`option-${name}`}
            word={word}
            required={required}
            value={String(typed[name] ?? '')}
            set={(value) => set(name, value)}
          />
          <small>
            {word}
            {required ? '' : ', optional'}
          </small>
        </label>
      ))}
      {command.flags
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

function Field({
  id,
  word,
  required,
  value,
  set,
}: {
  id: string;
  word: string;
  required: boolean;
  value: string;
  set: (value: string) => void;
}) {
  const words = /^[\w-]+(\|[\w-]+)+$/.test(word) ? word.split('|') : undefined;
  if (word.endsWith('file'))
    return (
      <textarea
        id={id}
        rows={8}
        required={required}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  if (!words || words.some((one) => ['number', 'USD'].includes(one))) {
    const type = word === 'YYYY-MM-DD' ? 'date' : 'text';
    return (
      <input
        id={id}
        type={type}
        required={required}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  }
  return (
    <select
      id={id}
      required={required}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      <option value="" />
      {words.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
