import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ShownCommands } from '../bridge.ts';
import { readCommands, useCommandOutput } from './commands.ts';
import { CommandsContext, type PageProps } from './context.ts';
import { ReadStatus } from './output.tsx';
import { AuditPage } from './pages/audit.tsx';
import { BooksPage } from './pages/books.tsx';
import { CommandsPage } from './pages/commands.tsx';
import { DrawingsPage } from './pages/drawings.tsx';
import { ExplainPage } from './pages/explain.tsx';
import { GamesPage } from './pages/games.tsx';
import { ReportsPage } from './pages/money.tsx';
import { PrizesPage } from './pages/prizes.tsx';
import { TodayPage } from './pages/today.tsx';
import { UsersPage } from './pages/users.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { hrefOf, openView, useViewRoute } from './route.ts';

const pages: Record<string, { title: string; page: FunctionComponent<PageProps> }> = {
  today: { title: 'Today', page: TodayPage },
  users: { title: 'Users', page: UsersPage },
  explain: { title: 'Explain', page: ExplainPage },
  games: { title: 'Games', page: GamesPage },
  drawings: { title: 'Drawings', page: DrawingsPage },
  prizes: { title: 'Prizes', page: PrizesPage },
  winners: { title: 'Winners and taxes', page: ReportsPage },
  webhooks: { title: 'Webhooks', page: WebhooksPage },
  books: { title: 'Books', page: BooksPage },
  audit: { title: 'Audit', page: AuditPage },
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
    <CommandsContext.Provider value={commands}>
      <Shell stage={commands.stage} />
    </CommandsContext.Provider>
  );
}

function Shell({ stage }: { stage: string }) {
  const { view, query } = useViewRoute();
  const read = useCommandOutput('org', 'list', {});
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
          <select value={org} onChange={({ currentTarget }) => openView(view, { org: currentTarget.value })}>
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
        <ReadStatus read={read} />
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
