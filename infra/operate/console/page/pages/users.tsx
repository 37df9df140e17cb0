import { useState } from 'preact/hooks';
import { type Account, accounts } from '../../../../../shared/vocabulary.ts';
import { RunButton, RunButtons } from '../change.tsx';
import type { Column } from '../columns.ts';
import { CommandTable } from '../command-table.tsx';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { Figure, Figures, Section } from '../figure.tsx';
import { labelOf, numberText, timeText } from '../format.ts';
import { ReadStatus } from '../output.tsx';
import { openView } from '../route.ts';
import { SearchBar } from '../search-bar.tsx';
import { userColumn } from '../user-column.tsx';

export function UsersPage({ org, query: { user, reference } }: PageProps) {
  const named = user ? { user } : reference ? { reference } : undefined;
  const read = useCommandOutput('user', 'find', named && { org, ...named });
  return (
    <>
      <SearchBar
        label="External reference or user ID"
        button="Find"
        value={user ?? reference}
        find={(text) =>
          openView('users', { org, [/^usr_[0-9A-Z]{26}$/.test(text) ? 'user' : 'reference']: text })
        }
      />
      {named ? (
        <ReadStatus read={read} />
      ) : (
        <CommandTable
          noun="user"
          verb="latest"
          values={{ org }}
          list="users"
          heading="Latest users"
          columns={[userColumn(org), { name: 'tickets' }, { name: 'last_change' }]}
          empty="No user has had tickets yet."
        />
      )}
      {named && read.output && (
        <User key={read.output.user_id} org={org} user={read.output} changed={read.reload} />
      )}
    </>
  );
}

type FoundUser = {
  user_id: string;
  external_reference: string;
  date_created: string;
  balances: Record<Account, number>;
  queued_spins: number;
  plays_today: number;
  frozen?: true;
  erased_at?: string;
};

function User({ org, user, changed }: { org: string; user: FoundUser; changed: () => void }) {
  const [round, setRound] = useState(0);
  const preset = { org, user: user.user_id };
  return (
    <>
      <div class="card">
        <div class="heading">
          <h2>{user.erased_at ? 'Erased user' : user.external_reference}</h2>
          <RunButtons
            noun="user"
            preset={preset}
            hiddenVerbs={hiddenFor(user)}
            changed={() => {
              changed();
              setRound(round + 1);
            }}
          />
        </div>
        <p class="code">{user.user_id}</p>
        <p class="faint">Created {timeText(user.date_created)}</p>
        {user.frozen && (
          <p class="bad">
            Frozen: only operators and drawings change this user’s balances, and free spins wait.
          </p>
        )}
        {user.erased_at && (
          <p class="bad">Erased {timeText(user.erased_at)}: this user can no longer change.</p>
        )}
      </div>
      <Figures>
        {accounts.map((account) => (
          <Figure
            key={account}
            label={account === 'tickets' ? 'Tickets' : `${labelOf(account)} entries`}
            value={numberText(user.balances[account])}
          />
        ))}
        <Figure label="Plays today" value={numberText(user.plays_today)} />
        <Figure label="Queued spins" value={numberText(user.queued_spins)} />
      </Figures>
      <CommandTable
        key={round}
        noun="user"
        verb="history"
        values={{ ...preset, limit: '200' }}
        list="records"
        heading="Timeline"
        columns={columns}
        empty="No activity yet."
      />
      {!user.erased_at && (
        <Section title="Erase this person">
          <p>Closes the account for good and erases all texts about the person. It cannot be undone.</p>
          <RunButton
            noun="user"
            verb="erase"
            preset={preset}
            typedFirst={user.external_reference}
            changed={changed}
          />
        </Section>
      )}
    </>
  );
}

/** Commands that would have no effect on the user, and `erase`, which has its own section. */
const hiddenFor = ({ frozen, erased_at, queued_spins }: FoundUser): string[] => [
  ...['find', 'history', 'erase'],
  ...(erased_at ? ['freeze', 'unfreeze', 'adjust'] : [frozen ? 'freeze' : 'unfreeze']),
  ...(queued_spins > 0 ? [] : ['cancel-spins']),
];

const columns: Column[] = [
  { name: 'date_created', label: 'Time' },
  { name: 'kind' },
  { name: 'sentence', label: 'What happened', grows: true },
  { name: 'amount' },
  { name: 'balance_after', label: 'Balance' },
];
