import { Changes } from '../change.tsx';
import { useRead } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Part } from '../figure.tsx';
import { Waiting } from '../output.tsx';
import { changesIn, type Operation } from './operations.ts';

export function Audit({ org }: PageProps) {
  return (
    <>
      <Operations org={org} />
      <Keys org={org} />
      <Part
        title="Organization"
        actions={
          <div class="buttons">
            <Changes noun="org" preset={{ org }} />
          </div>
        }
      >
        <p class="code">{org}</p>
      </Part>
    </>
  );
}

function Operations({ org }: { org: string }) {
  const read = useRead('audit', 'list', { org });
  const operations: Operation[] = [...(read.output?.operations ?? [])].reverse();
  return (
    <>
      <Waiting read={read} />
      {read.output && (
        <DataTable
          caption="Operations"
          heading="Operations"
          rows={operations.map((operation) => ({ ...operation, changes: changesIn(operation) }))}
          columns={[
            { name: 'date_created', label: 'Time' },
            { name: 'operator' },
            { name: 'action' },
            { name: 'changes', label: 'What changed', grows: true },
            { name: 'why', label: 'Reason' },
          ]}
        />
      )}
    </>
  );
}

function Keys({ org }: { org: string }) {
  const read = useRead('key', 'list', { org });
  return (
    <>
      <Waiting read={read} />
      {read.output && (
        <DataTable caption="API keys" heading="API keys" rows={read.output.keys}>
          <Changes noun="key" preset={{ org }} hiddenVerbs={['list']} changed={read.reload} />
        </DataTable>
      )}
    </>
  );
}
