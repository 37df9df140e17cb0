import { RunButtons } from '../change.tsx';
import { CommandTable } from '../command-table.tsx';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Section } from '../figure.tsx';
import { ReadStatus } from '../output.tsx';
import { describeChanges, type ListedAction } from './actions.ts';

export function AuditPage({ org }: PageProps) {
  return (
    <>
      <Actions org={org} />
      <CommandTable noun="key" verb="list" values={{ org }} list="keys" heading="API keys">
        {(reload) => <RunButtons noun="key" preset={{ org }} hiddenVerbs={['list']} changed={reload} />}
      </CommandTable>
      <Section title="Organization" actions={<RunButtons noun="org" preset={{ org }} />}>
        <p class="code">{org}</p>
      </Section>
    </>
  );
}

function Actions({ org }: { org: string }) {
  const read = useCommandOutput('audit', 'list', { org });
  const actions: ListedAction[] = [...(read.output?.actions ?? [])].reverse();
  return (
    <>
      <ReadStatus read={read} />
      {read.output && (
        <DataTable
          caption="Actions"
          heading="Actions"
          rows={actions.map((action) => ({ ...action, changes: describeChanges(action) }))}
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
