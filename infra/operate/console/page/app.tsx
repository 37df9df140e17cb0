import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ShownCommands } from '../bridge.ts';
import { readCommands, useRead } from './commands.ts';
import { Commands, type PageProps } from './context.ts';
import { Waiting } from './output.tsx';
import { Audit } from './pages/audit.tsx';
import { Books } from './pages/books.tsx';
import { CommandsPage } from './pages/commands.tsx';
import { Drawings } from './pages/drawings.tsx';
import { Explain } from './pages/explain.tsx';
import { Games } from './pages/games.tsx';
import { Money } from './pages/money.tsx';
import { Prizes } from './pages/prizes.tsx';
import { Today } from './pages/today.tsx';
import { Users } from './pages/users.tsx';
import { Webhooks } from './pages/webhooks.tsx';
import { go, hrefOf, useRoute } from './route.ts';

const pages: Record<string, { title: string; page: FunctionComponent<PageProps> }> = {
  today: { title: 'Today', page: Today },
  users: { title: 'Users', page: Users },
  explain: { title: 'Explain', page: Explain },
  games: { title: 'Games', page: Games },
  drawings: { title: 'Drawings', page: Drawings },
  prizes: { title: 'Prizes', page: Prizes },
  winners: { title: 'Winners and taxes', page: Money },
  webhooks: { title: 'Webhooks', page: Webhooks },
  books: { title: 'Books', page: Books },
  audit: { title: 'Audit', page: Audit },
  commands: { title: 'Commands', page: CommandsPage },
};

export function App() {
  const [commands, setCommands] = useState<ShownCommands | undefined>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    readCommands().then(setCommands, (error: Error) => setProblem(error.message));
  }, []);
  if (problem)
    return (
      <main class="message">
        <h1>Incentives console</h1>
        <p role="alert">{problem}</p>
      </main>
    );
  if (!commands)
    return (
      <main class="message">
        <h1>Incentives console</h1>
        <p role="status">Loading…</p>
      </main>
    );
  return (
    <Commands.Provider value={commands}>
      <Shell stage={commands.stage} />
    </Commands.Provider>
  );
}

function Shell({ stage }: { stage: string }) {
  const { view, query } = useRoute();
  const read = useRead('org', 'list', {});
  const organizations: { organization_id: string; name: string }[] = read.output?.organizations ?? [];
  const org = query.org ?? organizations[0]?.organization_id;
  const { title, page: Page } = pages[view] ?? pages.today!;
  useEffect(() => {
    document.title = `${title}, Incentives ${stage}`;
  }, [title, stage]);
  return (
    <div class="shell">
      <header>
        <p class="name">
          Incentives <span class={`stage ${stage}`}>{stage}</span>
        </p>
        <label class="picker">
          <span>Organization</span>
          <select value={org} onChange={({ currentTarget }) => go(view, { org: currentTarget.value })}>
            {organizations.map(({ organization_id, name }) => (
              <option key={organization_id} value={organization_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <nav aria-label="Pages">
          <ul>
            {Object.entries(pages).map(([name, { title }]) => (
              <li key={name}>
                <a href={hrefOf(name, { org })} aria-current={name === view ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main">
        <h1>{title}</h1>
        <Waiting read={read} />
        {org && <Page key={`${view} ${org}`} org={org} query={query} />}
        {read.output && organizations.length === 0 && (
          <p class="empty">
            There are no organizations yet. Create one: npm run admin -- org create --name "My app" --stage{' '}
            {stage}
          </p>
        )}
      </main>
    </div>
  );
}
