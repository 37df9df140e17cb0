import { Changes } from '../change.tsx';
import { CommandTable } from '../command-table.tsx';
import { useRead } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Part } from '../figure.tsx';
import { Waiting } from '../output.tsx';
import { type Action, changesIn } from './actions.ts';

export function Audit({ org }: PageProps) {
  return (
    <>
      <Actions org={org} />
      <CommandTable noun="key" verb="list" values={{ org }} list="keys" heading="API keys">
        {(reload) => <Changes noun="key" preset={{ org }} hiddenVerbs={['list']} changed={reload} />}
      </CommandTable>
      <Part title="Organization" actions={<Changes noun="org" preset={{ org }} />}>
        <p class="code">{org}</p>
      </Part>
    </>
  );
}

function Actions({ org }: { org: string }) {
  const read = useRead('audit', 'list', { org });
  const actions: Action[] = [...(read.output?.actions ?? [])].reverse();
  return (
    <>
      <Waiting read={read} />
      {read.output && (
        <DataTable
          caption="Actions"
          heading="Actions"
          rows={actions.map((action) => ({ ...action, changes: changesIn(action) }))}
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
