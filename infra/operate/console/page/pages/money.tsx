import { stampOf } from '../../../admin/report/csv.ts';
import { type Column, columnsOf, type TableRow } from '../columns.ts';
import { useRead, type Values } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { dayAt } from '../format.ts';
import { isObject, OutputView, Values as ValueList, Waiting } from '../output.tsx';
import { go, hrefOf } from '../route.ts';

const reports: Record<string, { title: string; period: 'days' | 'year' | 'day'; summary: string }> = {
  winners: { title: 'Winners', period: 'days', summary: 'Who won what and when, for lists of winners.' },
  taxes: {
    title: 'Taxes',
    period: 'year',
    summary:
      'What users won in a calendar year, for Form 1099-MISC. Whether a user below the threshold is reportable stays open if the table gave one of the user’s prizes no value.',
  },
  cash: { title: 'Cash', period: 'days', summary: 'Cash won each day, against its limits.' },
  liability: { title: 'Liability', period: 'day', summary: 'What all users held at the end of a day.' },
  amoe: {
    title: 'AMOE',
    period: 'days',
    summary: 'What free spins won, compared with regular plays from the same prizes.',
  },
};
/** Reports that the page shows newest first. Their commands return the oldest row first. */
const newestFirst = ['winners', 'cash'];
/** What matters comes first, and ids last. */
const firstColumns: Record<string, string[]> = {
  winners: ['external_reference', 'prize', 'amount', 'value_usd', 'won_at', 'game', 'play_type'],
  taxes: ['external_reference', 'value_usd', 'is_reportable', 'cash_usd', 'other_value_usd'],
};
const columnsFirst = (first: string[] | undefined, rows: TableRow[]) => {
  const rankOf = ({ name }: Column) =>
    first?.includes(name) ? first.indexOf(name) : name.endsWith('_id') ? 99 : 50;
  return first && columnsOf(rows).toSorted((a, b) => rankOf(a) - rankOf(b));
};
const dayMs = 86_400_000;
/** Output fields that the view does not repeat, because its controls already show them. */
const shownAbove = ['organization_id', 'from', 'to', 'day', 'year'];

export function Money({ org, query }: PageProps) {
  const name = query.report && query.report in reports ? query.report : 'winners';
  const { title, period, summary } = reports[name]!;
  const today = dayAt(Date.now());
  const from = query.from ?? dayAt(Date.now() - 29 * dayMs);
  const to = query.to ?? today;
  const year = query.year ?? today.slice(0, 4);
  const { threshold } = query;
  const ofYear = { year, ...(threshold ? { threshold } : {}) };
  const options: Record<typeof period, Values> = { days: { from, to }, year: ofYear, day: { day: to } };
  const isBare = name === 'winners' && query.bare === 'yes';
  const read = useRead('report', name, {
    org,
    ...options[period],
    ...(isBare ? { 'without-credits': true } : {}),
  });
  const set = (changed: Record<string, string | undefined>) => go('winners', { ...query, org, ...changed });
  const { rows, ...head } = read.output ?? { rows: [] };
  return (
    <>
      <nav class="tabs" aria-label="Reports">
        {Object.entries(reports).map(([report, { title }]) => (
          <a
            key={report}
            href={hrefOf('winners', { ...query, org, report })}
            aria-current={report === name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <p>{summary}</p>
      <div class="bar">
        {period === 'days' && <DayField label="From" value={from} set={(from) => set({ from })} />}
        {period !== 'year' && (
          <DayField label={period === 'day' ? 'Day' : 'To'} value={to} set={(to) => set({ to })} />
        )}
        {period === 'year' && (
          <>
            <NumberField
              label="Year"
              value={year}
              range={{ min: '2020', max: today.slice(0, 4) }}
              set={(year) => set({ year, threshold: undefined })}
            />
            <NumberField
              label="Threshold in USD, if another"
              value={threshold ?? ''}
              range={{ min: '0' }}
              set={(threshold) => set({ threshold: threshold || undefined })}
            />
          </>
        )}
        {name === 'winners' && (
          <label class="flag">
            <input
              type="checkbox"
              checked={isBare}
              onChange={({ currentTarget }) => set({ bare: currentTarget.checked ? 'yes' : undefined })}
            />
            Leave out tickets and entries
          </label>
        )}
      </div>
      <Waiting read={read} />
      {read.output && (
        <div aria-busy={read.isLoading}>
          <ValueList
            values={Object.entries(head).filter(
              ([field, value]) => !shownAbove.includes(field) && typeof value !== 'object',
            )}
          />
          <DataTable
            caption={`${title} ${period === 'year' ? year : period === 'day' ? to : `${from} to ${to}`}`}
            rows={newestFirst.includes(name) ? [...rows].reverse() : rows}
            columns={columnsFirst(firstColumns[name], rows)}
            org={org}
            stamp={stampOf(head as Parameters<typeof stampOf>[0])}
            empty="No data for this period."
          />
          <OutputView
            name="Figures"
            output={Object.fromEntries(Object.entries(head).filter(([, value]) => isObject(value)))}
            org={org}
          />
        </div>
      )}
    </>
  );
}

const DayField = ({ label, value, set }: { label: string; value: string; set: (day: string) => void }) => (
  <label>
    <span>{label}</span>
    <input
      type="date"
      value={value}
      max={dayAt(Date.now())}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  </label>
);

type NumberFieldProps = {
  label: string;
  value: string;
  range: { min: string; max?: string };
  set: (typed: string) => void;
};
const NumberField = ({ label, value, range, set }: NumberFieldProps) => (
  <label>
    <span>{label}</span>
    <input
      type="number"
      {...range}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  </label>
);
