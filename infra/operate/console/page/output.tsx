import type { AnyOutput, CommandRead } from './commands.ts';
import { DataTable } from './data-table.tsx';
import { labelOf, looksLikeId, valueText } from './format.ts';

const isRows = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Props = { name: string; output: AnyOutput; org?: string | undefined; within?: string };

export function OutputView({ name, output, org, within = '' }: Props) {
  if (isRows(output)) return <DataTable caption={name} heading={within && name} rows={output} org={org} />;
  if (!isRecord(output))
    return <pre>{typeof output === 'string' ? output : JSON.stringify(output, null, 2)}</pre>;
  const isPart = ([, value]: [string, unknown]) => isRows(value) || isRecord(value);
  const parts = Object.entries(output).filter(isPart);
  const values = Object.entries(output).filter((entry) => !isPart(entry));
  return (
    <>
      {within && values.length > 0 && <h3>{name}</h3>}
      {values.length > 0 && <ValueList values={values} />}
      {parts.map(([part, value]) => (
        <OutputView
          key={part}
          name={within ? `${name}, ${labelOf(part).toLowerCase()}` : labelOf(part)}
          output={value}
          org={org}
          within={name}
        />
      ))}
    </>
  );
}

export const ValueList = ({ values }: { values: [name: string, value: unknown][] }) => (
  <dl class="values">
    {values.map(([name, value]) => (
      <div key={name}>
        <dt>{labelOf(name)}</dt>
        <dd class={looksLikeId(value) ? 'code' : ''}>
          {Array.isArray(value)
            ? value.map((one) => valueText(name, one)).join(', ') || '–'
            : valueText(name, value)}
        </dd>
      </div>
    ))}
  </dl>
);

export function ReadStatus({ read }: { read: CommandRead }) {
  if (read.message)
    return (
      <p class="bad" role="alert">
        {read.message}
      </p>
    );
  return read.output === undefined && read.isLoading ? (
    <p class="empty" role="status">
      Loading…
    </p>
  ) : null;
}
