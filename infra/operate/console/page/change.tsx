import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunResult, ShownCommand } from '../bridge.ts';
import { CommandLine } from './command-line.tsx';
import { type CommandValues, commandLine, runCommand } from './commands.ts';
import { useCommand, useStage, useVerbs } from './context.ts';
import { OptionFields } from './fields.tsx';
import { labelOf } from './format.ts';
import { OutputView } from './output.tsx';

type Props = {
  noun: string;
  verb: string;
  preset: CommandValues;
  label?: string;
  title?: string;
  /** Called when the dialog closes after a command with the effect `changes` has run, even if the command failed. */
  changed?: (() => void) | undefined;
  kind?: 'main' | 'quiet';
  /** Text that the operator has to type before the command can run. */
  typedFirst?: string;
};

export function RunButton(props: Props) {
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

type ChangesProps = Pick<Props, 'noun' | 'preset' | 'changed'> & { hiddenVerbs?: string[] };

/** Buttons for the commands of a noun that take the preset options. */
export function RunButtons({ noun, preset, hiddenVerbs = [], changed }: ChangesProps) {
  const verbs = Object.entries(useVerbs(noun)).filter(
    ([verb, { required, optional }]) =>
      !hiddenVerbs.includes(verb) &&
      Object.keys(preset).every((name) => name in required || name in optional),
  );
  return (
    <div class="buttons">
      {verbs.map(([verb]) => (
        <RunButton key={verb} noun={noun} verb={verb} preset={preset} changed={changed} />
      ))}
    </div>
  );
}

type DialogProps = Props & { command: ShownCommand; label: string; close: () => void };

function Dialog({ noun, verb, preset, label, title = label, command, ...props }: DialogProps) {
  const { close, changed, typedFirst } = props;
  const stage = useStage();
  const isChange = command.effect === 'changes';
  const [typed, setTyped] = useState<CommandValues>({});
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
      <p>{command.summary}.</p>
      {result ? (
        <Result
          result={result}
          effect={command.effect}
          close={closeDialog}
          back={result.exit_code !== 0 || values['dry-run'] ? () => setResult(undefined) : undefined}
        />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <OptionFields command={command} preset={preset} typed={typed} change={setTyped} />
          {typedFirst !== undefined && (
            <label class="field">
              <span>Type {typedFirst} to confirm</span>
              <input
                value={confirmation}
                onInput={({ currentTarget }) => setConfirmation(currentTarget.value)}
              />
            </label>
          )}
          <CommandLine
            line={commandLine(noun, verb, values.file ? { ...values, file: 'file' } : values, stage)}
          />
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

type ResultProps = {
  result: RunResult;
  effect: ShownCommand['effect'];
  close: () => void;
  back: (() => void) | undefined;
};

function Result({ result: { exit_code, output, message }, effect, close, back }: ResultProps) {
  const summary = exit_code === 0 ? (effect === 'reads' ? 'Result:' : 'Done.') : 'The command failed.';
  return (
    <>
      <p role="status" class={exit_code === 0 ? 'good' : 'bad'}>
        {summary} {message}
      </p>
      {output !== undefined && <OutputView name="Result" output={output} />}
      <div class="buttons">
        {back && (
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
