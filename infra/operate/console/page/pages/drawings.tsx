import { RunButton, RunButtons } from '../change.tsx';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Section } from '../figure.tsx';
import { labelOf } from '../format.ts';
import { ReadStatus, ValueList } from '../output.tsx';
import { hrefOf } from '../route.ts';
import { Explanation } from './explain.tsx';

type Drawing = {
  drawing_id: string;
  prize: Record<'en' | 'es', string>;
  state: string;
  is_test: boolean;
  entrants: number | null;
  total_entries: string | null;
  root: string | null;
  round: number;
  timestamp?: string;
  winners: object[];
  largest: { user_id: string; entries: number }[];
};

export function DrawingsPage({ org, query }: PageProps) {
  const read = useCommandOutput('drawing', 'list', { org });
  const drawings = read.output?.drawings as Drawing[] | undefined;
  const chosen = query.drawing ?? drawings?.[0]?.drawing_id;
  return (
    <>
      <div class="bar">
        <p>
          Each drawing uses up all entries of its type. Nothing of it can be changed once it is announced.
        </p>
        <RunButton noun="drawing" verb="announce" preset={{ org }} kind="main" changed={read.reload} />
      </div>
      <ReadStatus read={read} />
      {drawings && (
        <DataTable
          caption="Drawings"
          rows={drawings}
          columns={[
            {
              name: 'prize',
              grows: true,
              show: (row) => {
                const { prize, drawing_id, is_test } = row as Drawing;
                return (
                  <a href={hrefOf('drawings', { org, drawing: drawing_id })}>
                    {prize.en}
                    {is_test && ' (test)'}
                  </a>
                );
              },
            },
            { name: 'value_usd' },
            { name: 'type' },
            { name: 'state', show: ({ state }) => labelOf(String(state)) },
            { name: 'closes' },
            { name: 'draws_at', label: 'Drawn' },
            { name: 'entrants' },
          ]}
          empty="No drawing has been announced."
        />
      )}
      {chosen && <Chosen key={chosen} org={org} id={chosen} changed={read.reload} />}
    </>
  );
}

/** Commands that the drawing's state refuses, and `show`, whose output is on the page. */
const hiddenFor = ({ state }: Drawing): string[] => [
  'show',
  ...(state === 'drawn' ? [] : ['forfeit']),
  ...(state === 'announced' ? [] : ['call-off']),
  ...(state === 'announced' || state === 'called_off' ? ['export'] : []),
];

function Chosen({ org, id, changed }: { org: string; id: string; changed: () => void }) {
  const read = useCommandOutput('drawing', 'show', { org, drawing: id });
  const drawing = read.output as Drawing | undefined;
  if (!drawing) return <ReadStatus read={read} />;
  const { entrants, total_entries, round, root, timestamp, winners, largest } = drawing;
  return (
    <Section
      title={drawing.prize.en}
      actions={
        <RunButtons
          noun="drawing"
          preset={{ org, drawing: id }}
          hiddenVerbs={hiddenFor(drawing)}
          changed={() => {
            read.reload();
            changed();
          }}
        />
      }
    >
      <Explanation key={`${drawing.state} ${JSON.stringify(winners)}`} org={org} id={id} />
      <ValueList values={Object.entries({ entrants, total_entries, round, root, timestamp })} />
      {largest.length > 0 && (
        <DataTable
          caption="Largest weights"
          heading="Most entries, and where they are from"
          rows={largest}
          org={org}
        />
      )}
    </Section>
  );
}
