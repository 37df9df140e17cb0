import { useContext } from 'preact/hooks';
import { Change } from '../change.tsx';
import { Commands, type PageProps } from '../context.ts';
import { Part } from '../figure.tsx';
import { labelOf } from '../format.ts';

export function CommandsPage({ org }: PageProps) {
  const { nouns } = useContext(Commands);
  return Object.entries(nouns).map(([noun, verbs]) => (
    <Part key={noun} title={labelOf(noun)}>
      <ul class="commands">
        {Object.entries(verbs).map(([verb, { summary, required, optional, effect }]) => (
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
  ));
}
