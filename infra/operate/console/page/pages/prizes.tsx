import { RunButton, RunButtons } from '../change.tsx';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Section } from '../figure.tsx';
import { labelOf, valueText } from '../format.ts';
import { ReadStatus } from '../output.tsx';
import { hrefOf, openView } from '../route.ts';
import { userColumn } from '../user-column.tsx';
import { Explanation } from './explain.tsx';

const states = ['owed', 'open', 'held', 'delivered', 'forfeited', 'untracked', 'all'];

export function PrizesPage({ org, query }: PageProps) {
  const { state = 'owed', prize } = query;
  const read = useCommandOutput('prize', 'list', { org, state });
  return (
    <>
      <div class="bar">
        <p>Prizes that the host hands out: open ones first, then the oldest.</p>
        <label>
          <span>State</span>
          <select
            value={state}
            onChange={({ currentTarget }) => openView('prizes', { org, state: currentTarget.value })}
          >
            {states.map((one) => (
              <option key={one} value={one}>
                {labelOf(one)}
              </option>
            ))}
          </select>
        </label>
        <RunButton noun="prize" verb="import" preset={{ org }} label="Import CSV" changed={read.reload} />
        <RunButton noun="prize" verb="track" preset={{ org }} changed={read.reload} />
      </div>
      <ReadStatus read={read} />
      {read.output && (
        <DataTable
          caption="Prizes"
          rows={read.output.prizes}
          columns={[
            {
              name: 'prize',
              show: (row) => (
                <a href={hrefOf('prizes', { org, state, prize: String(row.prize_id) })}>
                  {valueText('prize', row.prize)}
                </a>
              ),
            },
            { name: 'amount' },
            { name: 'value_usd' },
            userColumn(org),
            { name: 'state' },
            { name: 'won_at' },
            { name: 'claim_by' },
            { name: 'reference' },
          ]}
          empty="No prizes in this state."
        />
      )}
      {prize && (
        <Section
          title="Chosen prize"
          actions={<RunButtons noun="prize" preset={{ org, prize }} changed={read.reload} />}
        >
          <Explanation key={prize + JSON.stringify(read.output)} org={org} id={prize} />
        </Section>
      )}
    </>
  );
}
