import { useContext, useState } from 'preact/hooks';
import { Change } from '../change.tsx';
import { Commands, type PageProps } from '../context.ts';
import { Part } from '../figure.tsx';
import { labelOf } from '../format.ts';

export function CommandsPage({ org }: PageProps) {
  const { nouns } = useContext(Commands);
  const [filter, setFilter] = useState('');
  const isWanted = (text: string) => text.toLowerCase().includes(filter.trim().toLowerCase());
  return (
    <>
      <div class="bar">
        <label class="wide">
          <span class="visually-hidden">Filter commands</span>
          <input
            type="search"
            placeholder="Filter"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>
      </div>
      {Object.entries(nouns).map(([noun, verbs]) => {
        const wanted = Object.entries(verbs).filter(([verb, { summary }]) =>
          isWanted(`${noun} ${verb} ${summary}`),
        );
        if (wanted.length === 0) return null;
        return (
          <Part key={noun} title={labelOf(noun)}>
            <ul class="commands">
              {wanted.map(([verb, { summary, required, optional, effect }]) => (
                <li key={verb}>
                  <div>
                    <h3>
                      <code>
                        {noun} {verb}
                      </code>{' '}
                      {effect === 'changes' && <span class="badge warning">Changes</span>}
                    </h3>
                    <p>{summary}</p>
                  </div>
                  <Change
                    noun={noun}
                    verb={verb}
                    preset={'org' in required || 'org' in optional ? { org } : {}}
                    label="Run"
                    title={`${noun} ${verb}`}
                  />
                </li>
              ))}
            </ul>
          </Part>
        );
      })}
    </>
  );
}
