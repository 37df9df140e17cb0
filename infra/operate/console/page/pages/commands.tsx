import { useContext } from 'preact/hooks';
import { RunButton } from '../change.tsx';
import { CommandsContext, type PageProps } from '../context.ts';
import { Section } from '../figure.tsx';
import { labelOf } from '../format.ts';

export function CommandsPage({ org }: PageProps) {
  const { nouns } = useContext(CommandsContext);
  return Object.entries(nouns).map(([noun, verbs]) => (
    <Section key={noun} title={labelOf(noun)}>
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
            <RunButton
              noun={noun}
              verb={verb}
              preset={'org' in required || 'org' in optional ? { org } : {}}
              label="Run"
              title={`${noun} ${verb}`}
            />
          </li>
        ))}
      </ul>
    </Section>
  ));
}
