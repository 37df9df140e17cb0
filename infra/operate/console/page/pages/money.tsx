import { useState } from 'preact/hooks';
import { reportColumnsOf } from '../../../admin/report/csv.ts';
import { type CommandValues, useCommandOutput } from '../commands.ts';
import { type PageProps, useVerbs } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { OptionFields } from '../fields.tsx';
import { dayAt, labelOf } from '../format.ts';
import { isRecord, OutputView, ReadStatus, ValueList } from '../output.tsx';
import { hrefOf, openView } from '../route.ts';

const dayMs = 86_400_000;
/** Output fields that the view does not repeat, because its form already shows them. */
const shownAbove = ['organization_id', 'from', 'to', 'day', 'year'];

export function ReportsPage({ org, query: { org: _, report = '', ...given } }: PageProps) {
  const { day: _day, rebuild: _rebuild, ...reports } = useVerbs('report');
  const name = report in reports ? report : 'winners';
  const command = reports[name]!;
  const { required, optional } = command;
  const today = dayAt(Date.now());
  const defaults = { from: dayAt(Date.now() - 29 * dayMs), to: today, year: today.slice(0, 4) };
  const asked: CommandValues = { ...defaults, ...given };
  const taken = Object.entries(asked).filter(
    ([option]) => option in required || option in optional || command.flags.includes(option),
  );
  const values = Object.fromEntries(taken.map(([option, value]) => [option, value === 'yes' || value]));
  const [typed, setTyped] = useState<CommandValues>(values);
  const read = useCommandOutput('report', name, { org, ...values });
  const { rows, ...head } = read.output ?? { rows: [] };
  return (
    <>
      <nav class="tabs" aria-label="Reports">
        {Object.keys(reports).map((one) => (
          <a
            key={one}
            href={hrefOf('winners', { ...given, org, report: one })}
            aria-current={one === name ? 'page' : undefined}
          >
            {labelOf(one)}
          </a>
        ))}
      </nav>
      <p>{command.summary}.</p>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          const options = Object.entries(typed).map(([option, value]) => [
            option,
            value === true ? 'yes' : value,
          ]);
          openView('winners', { org, report: name, ...Object.fromEntries(options) });
        }}
      >
        <OptionFields command={command} preset={{ org }} typed={typed} change={setTyped} />
        <button type="submit" class="quiet">
          Show
        </button>
      </form>
      <ReadStatus read={read} />
      {read.output && (
        <div aria-busy={read.isLoading}>
          <ValueList
            values={Object.entries(head).filter(
              ([field, value]) => !shownAbove.includes(field) && typeof value !== 'object',
            )}
          />
          <DataTable
            caption={[labelOf(name), ...Object.values(values)].join(' ')}
            rows={name === 'winners' ? [...rows].reverse() : rows}
            org={org}
            stamp={reportColumnsOf(head as Parameters<typeof reportColumnsOf>[0])}
            empty="No data for this period."
          />
          <OutputView
            name="Figures"
            output={Object.fromEntries(Object.entries(head).filter(([, value]) => isRecord(value)))}
            org={org}
          />
        </div>
      )}
    </>
  );
}
