import { Change } from '../change.tsx';
import { CommandLine } from '../command-line.tsx';
import { lineOf, useRead } from '../commands.ts';
import { type PageProps, useStage } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Part } from '../figure.tsx';
import { OutputView, Waiting } from '../output.tsx';
import { hrefOf } from '../route.ts';

export function Books({ org, query }: PageProps) {
  const read = useRead('book', 'list', { org });
  const { day } = query;
  return (
    <>
      <div class="bar">
        <p>
          Each day closes at 1 a.m. New York time the next day. Keep its line somewhere outside this service.
        </p>
        <Change noun="book" verb="close" preset={{ org }} label="Close due days" changed={read.reload} />
      </div>
      <Waiting read={read} />
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
  const read = useRead('book', 'show', { org, day });
  return (
    <Part title={`Book of ${day}`}>
      <Waiting read={read} />
      {read.output && <OutputView name={`Book of ${day}`} output={read.output} org={org} />}
      <p>To export the book for an auditor:</p>
      <CommandLine line={lineOf('book', 'export', { org, day }, stage)} />
    </Part>
  );
}
