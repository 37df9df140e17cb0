import { Change } from '../change.tsx';
import type { Column } from '../columns.ts';
import { type Output, useRead } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Figure, Figures, Part } from '../figure.tsx';
import { countText, labelOf, numberText, percentText, timeText, usdText } from '../format.ts';
import { Values, Waiting } from '../output.tsx';
import { hrefOf } from '../route.ts';

type Winner = {
  place: number;
  user_id: string;
  external_reference: string;
  claim_by: string;
  claim_state: string;
};
type Drawing = {
  drawing_id: string;
  type: string;
  prize: Record<'en' | 'es', string>;
  value_usd: number;
  closes: string;
  draws_at: string;
  state: 'announced' | 'closed' | 'drawn' | 'called_off';
  is_test: boolean;
  entrants: number | null;
  total_entries: string | null;
  root: string | null;
  round: number;
  places_left: number | null;
  winners: Winner[];
};

/** View of all drawings, and of the chosen one: its list, its winners, and the next step. */
export function Drawings({ org, query }: PageProps) {
  const read = useRead('drawing', 'list', { org });
  const drawings = read.output?.drawings as Drawing[] | undefined;
  const chosen = query.drawing ?? drawings?.[0]?.drawing_id;
  return (
    <>
      <div class="bar">
        <p>
          Each drawing uses up all entries of its type. Nothing of it can be changed once it is announced.
        </p>
        <Change noun="drawing" verb="announce" preset={{ org }} kind="main" changed={read.reload} />
      </div>
      <Waiting read={read} />
      {drawings && (
        <DataTable
          caption="Drawings"
          rows={drawings}
          columns={drawingColumns(org)}
          empty="No drawing has been announced."
        />
      )}
      {chosen && <Chosen key={chosen} org={org} id={chosen} changed={read.reload} />}
    </>
  );
}

const drawingColumns = (org: string): Column<keyof Drawing>[] => [
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
];

function Chosen({ org, id, changed }: { org: string; id: string; changed: () => void }) {
  const read = useRead('drawing', 'show', { org, drawing: id });
  const drawing = read.output as (Drawing & Output) | undefined;
  if (!drawing) return <Waiting read={read} />;
  const { state, entrants, total_entries, winners, largest, prize, value_usd } = drawing;
  const preset = { org, drawing: id };
  const reload = () => {
    read.reload();
    changed();
  };
  return (
    <Part
      title={prize.en}
      actions={
        <div class="buttons">
          {state !== 'announced' && state !== 'called_off' && (
            <Change noun="drawing" verb="export" preset={preset} label="Export for verify" />
          )}
          {(state === 'announced' || state === 'closed') && (
            <Change noun="drawing" verb="call-off" preset={preset} changed={reload} />
          )}
        </div>
      }
    >
      <p>
        <strong>{stepOf(drawing)}</strong>
      </p>
      <Figures>
        <Figure label="Worth" value={usdText(value_usd)} />
        <Figure label="Users with entries" value={numberText(entrants ?? drawing.holders_now ?? 0)}>
          {entrants === null ? 'The list is made when the drawing closes' : ''}
        </Figure>
        {total_entries !== null && <Figure label="Entries" value={numberText(Number(total_entries))} />}
      </Figures>
      <Values
        values={Object.entries({
          closes: drawing.closes,
          round: drawing.round,
          root: drawing.root,
          timestamp: drawing.timestamp,
        })}
      />
      {winners.length > 0 && (
        <DataTable
          caption="Winners"
          heading="Winners"
          rows={winners}
          columns={winnerColumns(org, preset, reload)}
        />
      )}
      {largest?.length > 0 && (
        <DataTable
          caption="Largest weights"
          heading="Most entries, and where they are from"
          rows={largest.map(({ since_the_last_drawing, share, ...entrant }: Output) => ({
            ...entrant,
            share: percentText(100 * share),
            ...since_the_last_drawing,
          }))}
          org={org}
        />
      )}
    </Part>
  );
}

const hourMs = 3_600_000;
const inTime = (iso: string) => {
  const hours = Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / hourMs));
  return hours > 48 ? countText(Math.floor(hours / 24), 'day') : countText(hours, 'hour');
};

function stepOf({ state, closes, draws_at, called_off, places_left }: Drawing & Output): string {
  if (places_left) return `Nobody got ${places_left} of the prizes, because too few users had entries.`;
  if (state === 'called_off') return `It was called off: ${called_off}`;
  if (state === 'drawn')
    return 'It is drawn. A winner who cannot have the prize forfeits, and the next is drawn.';
  if (state === 'closed')
    return `The list is fixed and public. The winners are drawn in ${inTime(draws_at)}, at ${timeText(draws_at)}.`;
  return `Entries count until the end of ${closes} in New York. The draw is in ${inTime(draws_at)}.`;
}

const winnerColumns = (
  org: string,
  preset: { org: string; drawing: string },
  changed: () => void,
): Column<keyof Winner>[] => [
  { name: 'place' },
  {
    name: 'external_reference',
    label: 'User',
    show: ({ external_reference, user_id }) => (
      <a href={hrefOf('users', { org, user: String(user_id) })}>{String(external_reference || user_id)}</a>
    ),
  },
  { name: 'claim_state', label: 'Prize' },
  { name: 'claim_by' },
  {
    name: 'user_id',
    label: '',
    show: (row) => {
      const { claim_state, place } = row as Winner;
      return (
        claim_state !== 'forfeited' &&
        claim_state !== 'delivered' && (
          <Change
            noun="drawing"
            verb="forfeit"
            preset={{ ...preset, place: String(place) }}
            changed={changed}
          />
        )
      );
    },
  },
];
