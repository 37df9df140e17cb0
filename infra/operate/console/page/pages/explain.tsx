import type { Explained } from '../../../admin/explain/explained.ts';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { timeText } from '../format.ts';
import { ReadStatus } from '../output.tsx';
import { openView } from '../route.ts';
import { SearchBar } from '../search-bar.tsx';

export const ExplainPage = ({ org, query: { id } }: PageProps) => (
  <>
    <SearchBar
      label="Any ID, play URL, day or error code"
      button="Explain"
      value={id}
      find={(text) => openView('explain', { org, id: text })}
    />
    {id ? (
      <Explanation key={id} org={org} id={id} />
    ) : (
      <p class="empty">Enter what somebody asked you about.</p>
    )}
  </>
);

export function Explanation({ org, id }: { org: string; id: string }) {
  const read = useCommandOutput('explain', '', { id, org });
  if (!read.output) return <ReadStatus read={read} />;
  const { id: named, what, happened, state, why = [], next = [] } = read.output as Explained;
  return (
    <div class="card">
      <h2>{what[0]!.toUpperCase() + what.slice(1)}</h2>
      <p class="faint code">{named}</p>
      <p>
        <strong>{state}</strong>
      </p>
      {why.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <ol class="happened">
        {happened.map(({ at, sentence }) => (
          <li key={at + sentence}>
            <time dateTime={at}>{timeText(at)}</time> {sentence}
          </li>
        ))}
      </ol>
      {next.map((step) => (
        <p key={step} class="code">
          {step}
        </p>
      ))}
    </div>
  );
}
