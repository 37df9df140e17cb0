import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Column, TableRow } from './columns.ts';
import { type CommandValues, runCommand, useCommandOutput } from './commands.ts';
import { DataTable } from './data-table.tsx';
import { ReadStatus } from './output.tsx';

type Props = {
  noun: string;
  verb: string;
  values: CommandValues;
  /** Field of the command's output with the rows. */
  list: string;
  heading: string;
  columns?: Column[];
  empty?: string;
  reversed?: boolean;
  children?: (reload: () => void) => ComponentChildren;
};

/** The rows that a command prints. "Load all" reads the pages after the first. */
export function CommandTable({ noun, verb, values, list, heading, reversed, children, ...table }: Props) {
  const read = useCommandOutput(noun, verb, values);
  const [later, setLater] = useState<{ rows: TableRow[]; next: string | undefined } | undefined>();
  const [problem, setProblem] = useState('');
  const next: string | undefined = later ? later.next : read.output?.next;
  const rows: TableRow[] = [...(read.output?.[list] ?? []), ...(later?.rows ?? [])];
  const loadAll = async () => {
    setProblem('');
    const found = [...(later?.rows ?? [])];
    for (let after = next; after; ) {
      const { output, message } = await runCommand(noun, verb, { ...values, limit: '1000', after });
      if (output === undefined) throw new Error(message ?? 'The command failed.');
      const page = output as { next?: string } & Record<string, TableRow[]>;
      found.push(...page[list]!);
      after = page.next;
      setLater({ rows: [...found], next: after });
    }
  };
  if (!read.output) return <ReadStatus read={read} />;
  return (
    <>
      {problem && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <DataTable caption={heading} heading={heading} rows={reversed ? rows.reverse() : rows} {...table}>
        {children?.(read.reload)}
        {next && (
          <button
            type="button"
            class="quiet"
            onClick={() => loadAll().catch((error: Error) => setProblem(error.message))}
          >
            Load all
          </button>
        )}
      </DataTable>
    </>
  );
}
