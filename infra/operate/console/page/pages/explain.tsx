import { useState } from 'preact/hooks';
import type { Explained } from '../../../admin/explain/explained.ts';
import { useRead } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { timeText } from '../format.ts';
import { Waiting } from '../output.tsx';
import { go } from '../route.ts';

/** View of anything with an id, or of an error code, in sentences. */
export function Explain({ org, query }: PageProps) {
  const [typed, setTyped] = useState(query.id ?? '');
  const read = useRead('explain', '', query.id ? { id: query.id, org } : undefined);
  return (
    <>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          go('explain', { org, id: typed.trim() });
        }}
      >
        <label class="wide">
          <span class="visually-hidden">ID, play URL, day or error code</span>
          <input
            type="search"
            required
            placeholder="Any ID, play URL, day or error code"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          Explain
        </button>
      </form>
      {query.id ? <Waiting read={read} /> : <p class="empty">Enter what somebody asked you about.</p>}
      {read.output && <Answer of={read.output} />}
    </>
  );
}

function Answer({ of }: { of: Explained }) {
  const { id, what, happened, state, why = [], next = [] } = of;
  return (
    <div class="card">
      <h2>
        {id} is {what}
      </h2>
      <p>
        <strong>{state}</strong>
      </p>
      {why.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {happened.length > 0 && (
        <ol class="happened">
          {happened.map(({ at, sentence }) => (
            <li key={at + sentence}>
              <time dateTime={at}>{timeText(at)}</time> {sentence}
            </li>
          ))}
        </ol>
      )}
      {next.map((step) => (
        <p key={step} class="code">
          {step}
        </p>
      ))}
    </div>
  );
}
