import type { AttentionItem } from '../../../admin/attention.ts';
import { reportColumnsOf } from '../../../admin/report/csv.ts';
import type { TableRow } from '../columns.ts';
import { CommandTable } from '../command-table.tsx';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Figure, Figures, Section } from '../figure.tsx';
import { countText, dayAt, dayText, hourText, labelOf, numberText, usdText } from '../format.ts';
import { ReadStatus } from '../output.tsx';
import { hrefOf, openView } from '../route.ts';
import { userColumn } from '../user-column.tsx';

type Hour = { from: string; regular: number; amoe: number; cash_usd: number };
type Row = { figure: string; game?: string; play_type?: string; account?: string; value: number };
type Day = {
  organization_id: string;
  day: string;
  complete: boolean;
  hours: Hour[];
  winners: TableRow[];
  rows: Row[];
};

export function TodayPage({ org, query }: PageProps) {
  const read = useCommandOutput('report', 'day', { org, ...(query.day ? { day: query.day } : {}) });
  const day = read.output as Day | undefined;
  return (
    <>
      <div class="bar">
        <p>
          {day && dayText(day.day)}, New York{day?.complete ? '' : ', so far'}
        </p>
        <label>
          <span class="visually-hidden">Day</span>
          <input
            type="date"
            value={query.day ?? day?.day ?? ''}
            max={dayAt(Date.now())}
            onChange={({ currentTarget }) => openView('today', { org, day: currentTarget.value })}
          />
        </label>
        <button type="button" class="quiet" onClick={read.reload} disabled={read.isLoading}>
          {read.isLoading ? 'Refreshing…' : 'Refresh'}
        </button>
      </div>
      <NeedsAttention org={org} />
      <ReadStatus read={read} />
      {day && <DayFigures org={org} day={day} />}
      {day && !day.complete && <Before org={org} day={day} />}
      <CommandTable noun="stage" verb="queues" values={{}} list="queues" heading="Queues" />
      <Alarms />
    </>
  );
}

function NeedsAttention({ org }: { org: string }) {
  const read = useCommandOutput('org', 'attention', { org });
  const items = read.output?.items as AttentionItem[] | undefined;
  return (
    <Section title="Needs attention">
      <ReadStatus read={read} />
      {items?.length === 0 && <p class="good">Nothing.</p>}
      {items && items.length > 0 && (
        <ul class="attention">
          {items.map(({ what, next, id }) => (
            <li key={what}>
              <strong>{what}</strong> Next: {next}.{' '}
              {id && <a href={hrefOf('explain', { org, id })}>Explain</a>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const hourMs = 3_600_000;

/** Today's whole hours beside the same hours of yesterday and of a week ago. */
function Before({ org, day }: { org: string; day: Day }) {
  const daysAgo = (count: number) =>
    new Date(Date.parse(`${day.day}T00:00:00Z`) - count * 24 * hourMs).toISOString().slice(0, 10);
  const yesterday = useCommandOutput('report', 'day', { org, day: daysAgo(1) }).output as Day | undefined;
  const weekAgo = useCommandOutput('report', 'day', { org, day: daysAgo(7) }).output as Day | undefined;
  const count = day.hours.filter(({ from }) => Date.parse(from) + hourMs <= Date.now()).length;
  if (count === 0 || !yesterday || !weekAgo) return null;
  const rows = Object.entries({ today: day, yesterday, week_before: weekAgo }).map(([when, { hours }]) => {
    const sum = (of: (hour: Hour) => number) =>
      hours.slice(0, count).reduce((all, hour) => all + of(hour), 0);
    const plays = sum(({ regular, amoe }) => regular + amoe);
    return { when: labelOf(when), plays, cash_usd: sum((hour) => hour.cash_usd) };
  });
  return <DataTable caption={`Until ${count}:00`} heading={`Until ${count}:00, New York`} rows={rows} />;
}

const sumOf = (rows: Row[], fields: Partial<Row>): number =>
  rows
    .filter((row) => Object.entries(fields).every(([name, value]) => row[name as keyof Row] === value))
    .reduce((sum, { value }) => sum + value, 0);

function DayFigures({ org, day }: { org: string; day: Day }) {
  const { rows, hours, winners, complete } = day;
  const stamp = reportColumnsOf(day);
  const cash = rows.find(({ figure, game }) => figure === 'cash_won_usd' && !game)!.value;
  const limit = rows.filter(({ figure }) => figure === 'cash_limit_usd').at(-1)?.value;
  const games = [...new Set(rows.flatMap(({ figure, game }) => (figure === 'plays' && game ? [game] : [])))];
  const byGame = games.map((game) => ({
    game: labelOf(game),
    regular_plays: sumOf(rows, { figure: 'plays', game, play_type: 'regular' }),
    amoe_plays: sumOf(rows, { figure: 'plays', game, play_type: 'amoe' }),
    cash_usd: sumOf(rows, { figure: 'cash_won_usd', game }),
  }));
  const playsBy = (play_type: string) => numberText(sumOf(rows, { figure: 'plays', play_type }));
  const [players, regular, amoe] = rows.filter(({ figure }) => figure === 'users_who_played');
  const open = sumOf(rows, { figure: 'free_spins_open' });
  const tickets = sumOf(rows, { figure: 'spent_on_plays', account: 'tickets' });
  return (
    <>
      <Figures>
        <Figure label="Regular plays" value={playsBy('regular')}>
          {countText(tickets, 'ticket')} spent
        </Figure>
        <Figure label="AMOE plays" value={playsBy('amoe')}>
          {numberText(open)} ordered that day {complete ? 'were open at its end' : 'still to run'}
        </Figure>
        <Figure label="Cash won" value={usdText(cash)}>
          {limit === undefined ? 'Limit unknown' : `The day’s limit is ${usdText(limit)}`}
        </Figure>
        <Figure label="Users who played" value={numberText(players!.value)}>
          {`${numberText(regular!.value)} regular, ${numberText(amoe!.value)} AMOE`}
        </Figure>
      </Figures>
      <DataTable
        caption="Plays by the hour"
        heading="By the hour"
        rows={hours.map(({ from, ...hour }) => ({ hour: `${hourText(from)}:00`, ...hour }))}
        stamp={stamp}
      />
      <DataTable caption="Plays by game" heading="By game" rows={byGame} stamp={stamp} />
      <DataTable
        caption="Latest winners"
        heading="Latest winners"
        rows={winners}
        columns={[{ name: 'won_at' }, userColumn(org), ...winnerColumns]}
        stamp={stamp}
        empty="No prizes other than tickets and entries yet."
      />
    </>
  );
}

const winnerColumns = ['game', 'play_type', 'prize', 'amount', 'value_usd'].map((name) => ({ name }));

function Alarms() {
  const read = useCommandOutput('stage', 'alarms', {});
  return (
    <Section title="Alarms">
      <ReadStatus read={read} />
      {read.output?.note && <p class="empty">{read.output.note}</p>}
      {read.output?.alarms.length > 0 && (
        <DataTable
          caption="Alarms"
          rows={read.output.alarms}
          columns={[
            { name: 'state' },
            { name: 'alarm' },
            { name: 'since' },
            { name: 'runbook', grows: true },
          ]}
        />
      )}
    </Section>
  );
}
