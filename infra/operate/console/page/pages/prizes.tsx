import { Change, Changes } from '../change.tsx';
import { useRead } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Part } from '../figure.tsx';
import { labelOf } from '../format.ts';
import { Waiting } from '../output.tsx';
import { go, hrefOf } from '../route.ts';
import { userColumn } from '../user-column.tsx';
import { Explanation } from './explain.tsx';

const states = ['owed', 'open', 'held', 'delivered', 'forfeited', 'untracked', 'all'];

export function Prizes({ org, query }: PageProps) {
  const { state = 'owed', prize } = query;
  const read = useRead('prize', 'list', { org, state });
  return (
    <>
      <div class="bar">
        <p>Prizes that the host hands out: open ones first, then the oldest.</p>
        <label>
          <span>State</span>
          <select
            value={state}
            onChange={({ currentTarget }) => go('prizes', { org, state: currentTarget.value })}
          >
            {states.map((one) => (
              <option key={one} value={one}>
                {labelOf(one)}
              </option>
            ))}
          </select>
        </label>
        <Change noun="prize" verb="import" preset={{ org }} label="Import CSV" changed={read.reload} />
        <Change noun="prize" verb="track" preset={{ org }} changed={read.reload} />
      </div>
      <Waiting read={read} />
      {read.output && (
        <DataTable
          caption="Prizes"
          rows={read.output.prizes}
          columns={[
            {
              name: 'prize',
              show: (row) => (
                <a href={hrefOf('prizes', { org, state, prize: String(row.prize_id) })}>
                  {labelOf(String(row.prize))}
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
        <Part
          title="Chosen prize"
          actions={<Changes noun="prize" preset={{ org, prize }} changed={read.reload} />}
        >
          <Explanation key={prize + JSON.stringify(read.output)} org={org} id={prize} />
        </Part>
      )}
    </>
  );
}
