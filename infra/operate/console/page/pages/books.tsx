import { RunButton } from '../change.tsx';
import { CommandLine } from '../command-line.tsx';
import { commandLine, useCommandOutput } from '../commands.ts';
import { type PageProps, useStage } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Section } from '../figure.tsx';
import { OutputView, ReadStatus } from '../output.tsx';
import { hrefOf } from '../route.ts';

export function BooksPage({ org, query }: PageProps) {
  const read = useCommandOutput('book', 'list', { org });
  const { day } = query;
  return (
    <>
      <div class="bar">
        <p>
          Each day closes at 1 a.m. New York time the next day. Keep its line somewhere outside this service.
        </p>
        <RunButton noun="book" verb="close" preset={{ org }} label="Close due days" changed={read.reload} />
      </div>
      <ReadStatus read={read} />
      {read.output && (
        <DataTable
          caption="Books"
          rows={[...read.output.books].reverse()}
          columns={[
            {
              name: 'day',
              show: (row) => <a href={hrefOf('books', { org, day: String(row.day) })}>{String(row.day)}</a>,
            },
            { name: 'records' },
            { name: 'check', label: 'Own check' },
            { name: 'keep', label: 'Line to keep', grows: true },
          ]}
          empty="No day has been closed yet."
        />
      )}
      {day && <Book key={day} org={org} day={day} />}
    </>
  );
}

function Book({ org, day }: { org: string; day: string }) {
  const stage = useStage();
  const read = useCommandOutput('book', 'show', { org, day });
  return (
    <Section title={`Book of ${day}`}>
      <ReadStatus read={read} />
      {read.output && <OutputView name={`Book of ${day}`} output={read.output} org={org} />}
      <p>To export the book for an auditor:</p>
      <CommandLine line={commandLine('book', 'export', { org, day }, stage)} />
    </Section>
  );
}
