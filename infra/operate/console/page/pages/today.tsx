import type { Attention } from '../../../admin/attention.ts';
import { stampOf } from '../../../admin/report/csv.ts';
import type { WinnerRow } from '../../../admin/report/winners.ts';
import type { ShownAlarm } from '../../../admin/stage.ts';
import { CashChart, type Hour, PlaysChart } from '../charts.tsx';
import type { Column } from '../columns.ts';
import { useRead } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Figure, Figures, Part } from '../figure.tsx';
import { countText, dayAt, dayText, labelOf, numberText, usdText } from '../format.ts';
import { Waiting } from '../output.tsx';
import { go, hrefOf } from '../route.ts';

type Row = { figure: string; game?: string; play_type?: string; account?: string; value: number };
type Day = {
  organization_id: string;
  day: string;
  complete: boolean;
  hours: Hour[];
  winners: WinnerRow[];
  rows: Row[];
};

/** View of a day's plays, cash, cash limit and latest winners, and of the stage's queues and alarms. */
export function Today({ org, query }: PageProps) {
  const read = useRead('report', 'today', { org, ...(query.day ? { day: query.day } : {}) });
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
            onChange={({ currentTarget }) => go('today', { org, day: currentTarget.value })}
          />
        </label>
        <button type="button" class="quiet" onClick={read.reload} disabled={read.isLoading}>
          {read.isLoading ? 'Refreshing…' : 'Refresh'}
        </button>
      </div>
      <NeedsAttention org={org} />
      <Waiting read={read} />
      {day && <DayFigures org={org} day={day} />}
      {day && !day.complete && <Before org={org} day={day} />}
      <Queues />
      <Alarms />
    </>
  );
}

function NeedsAttention({ org }: { org: string }) {
  const read = useRead('org', 'attention', { org });
  const items = read.output?.items as Attention[] | undefined;
  return (
    <Part title="Needs attention">
      <Waiting read={read} />
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
    </Part>
  );
}

const hourMs = 3_600_000;
/** Sums the first hours of a day that are over by now today. */
const sumTo = (hours: Hour[], count: number) =>
  hours.slice(0, count).reduce(
    (sum, { regular, amoe, cash_usd }) => ({
      plays: sum.plays + regular + amoe,
      cash: sum.cash + cash_usd,
    }),
    { plays: 0, cash: 0 },
  );

/** Today's whole hours beside the same hours of yesterday and of a week ago. */
function Before({ org, day }: { org: string; day: Day }) {
  const daysAgo = (count: number) =>
    new Date(Date.parse(`${day.day}T00:00:00Z`) - count * 24 * hourMs).toISOString().slice(0, 10);
  const yesterday = useRead('report', 'today', { org, day: daysAgo(1) }).output as Day | undefined;
  const weekAgo = useRead('report', 'today', { org, day: daysAgo(7) }).output as Day | undefined;
  const count = day.hours.filter(({ from }) => Date.parse(from) + hourMs <= Date.now()).length;
  if (count === 0 || !yesterday || !weekAgo) return null;
  const rows = Object.entries({ today: day, yesterday, week_before: weekAgo }).map(([when, { hours }]) => ({
    when: labelOf(when),
    plays: sumTo(hours, count).plays,
    cash_usd: sumTo(hours, count).cash,
  }));
  return <DataTable caption={`Until ${count}:00`} heading={`Until ${count}:00, New York`} rows={rows} />;
}

const sumOf = (rows: Row[], fields: Partial<Row>): number =>
  rows
    .filter((row) => Object.entries(fields).every(([name, value]) => row[name as keyof Row] === value))
    .reduce((sum, { value }) => sum + value, 0);

function DayFigures({ org, day }: { org: string; day: Day }) {
  const { rows, hours, winners, complete } = day;
  const stamp = stampOf(day);
  const cash = sumOf(
    rows.filter(({ game }) => game === undefined),
    { figure: 'cash_won_usd' },
  );
  const limit = rows.filter(({ figure }) => figure === 'cash_limit_usd').at(-1)?.value;
  const games = [...new Set(rows.flatMap(({ figure, game }) => (figure === 'plays' && game ? [game] : [])))];
  const byGame = games.map((game) => ({
    game: labelOf(game),
    regular_plays: sumOf(rows, { figure: 'plays', game, play_type: 'regular' }),
    amoe_plays: sumOf(rows, { figure: 'plays', game, play_type: 'amoe' }),
    cash_usd: sumOf(rows, { figure: 'cash_won_usd', game }),
  }));
  const playersBy = (play_type: string) => sumOf(rows, { figure: 'users_who_played', play_type });
  const players = sumOf(
    rows.filter(({ play_type }) => play_type === undefined),
    { figure: 'users_who_played' },
  );
  const open = sumOf(rows, { figure: 'free_spins_open' });
  const tickets = sumOf(rows, { figure: 'spent_on_plays', account: 'tickets' });
  return (
    <>
      <Figures>
        <Figure
          label="Regular plays"
          value={numberText(sumOf(rows, { figure: 'plays', play_type: 'regular' }))}
        >
          {countText(tickets, 'ticket')} spent
        </Figure>
        <Figure label="AMOE plays" value={numberText(sumOf(rows, { figure: 'plays', play_type: 'amoe' }))}>
          {numberText(open)} ordered that day {complete ? 'were open at its end' : 'still to run'}
        </Figure>
        <Figure label="Cash won" value={usdText(cash)}>
          {limit === undefined
            ? 'Limit unknown'
            : `${usdText(Math.max(0, limit - cash))} of ${usdText(limit)} left`}
        </Figure>
        <Figure label="Users who played" value={numberText(players)}>
          {`${numberText(playersBy('regular'))} regular, ${numberText(playersBy('amoe'))} AMOE`}
        </Figure>
      </Figures>
      <div class="charts">
        <CashChart hours={hours} limitUsd={limit} until={complete ? Number.POSITIVE_INFINITY : Date.now()} />
        <PlaysChart hours={hours} />
      </div>
      <DataTable caption="Plays by game" heading="By game" rows={byGame} stamp={stamp} />
      <DataTable
        caption="Latest winners"
        heading="Latest winners"
        rows={winners}
        columns={winnerColumns(org)}
        stamp={stamp}
        empty="No prizes other than tickets and entries yet."
      />
    </>
  );
}

const winnerColumns = (org: string): Column<keyof WinnerRow>[] => [
  { name: 'won_at' },
  {
    name: 'external_reference',
    label: 'User',
    show: ({ external_reference, user_id }) => (
      <a href={hrefOf('users', { org, user: String(user_id) })}>{String(external_reference ?? user_id)}</a>
    ),
  },
  { name: 'game' },
  { name: 'play_type' },
  { name: 'prize' },
  { name: 'amount' },
  { name: 'value_usd' },
];

function Queues() {
  const read = useRead('stage', 'queues', {});
  return (
    <>
      <Waiting read={read} />
      {read.output && <DataTable caption="Queues" heading="Queues" rows={read.output.queues} />}
    </>
  );
}

function Alarms() {
  const read = useRead('stage', 'alarms', {});
  const ringing = read.output?.alarms.filter(({ state }: { state: string }) => state === 'ALARM').length;
  return (
    <Part title="Alarms">
      <Waiting read={read} />
      {read.output?.note && <p class="empty">{read.output.note}</p>}
      {read.output?.alarms.length > 0 && (
        <>
          <p class={ringing > 0 ? 'bad' : 'good'}>
            {ringing > 0 ? `${ringing} active.` : 'No active alarms.'}
          </p>
          <DataTable
            caption="Alarms"
            rows={read.output.alarms as ShownAlarm[]}
            columns={[
              { name: 'state' },
              { name: 'alarm' },
              { name: 'since' },
              { name: 'runbook', grows: true },
            ]}
          />
        </>
      )}
    </Part>
  );
}
