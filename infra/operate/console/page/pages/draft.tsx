import { useState } from 'preact/hooks';
import type { RunResult } from '../../bridge.ts';
import { Change } from '../change.tsx';
import { type Values as Options, type Output, runCommand } from '../commands.ts';
import { Part } from '../figure.tsx';
import { labelOf } from '../format.ts';
import { OutputView } from '../output.tsx';
import { Comparison, Preview } from './comparison.tsx';
import { type Prize, PrizeRows } from './prize-rows.tsx';

type Props = {
  org: string;
  game: string;
  cost: number;
  /** That of the table from which the draft begins: nothing is published over another. */
  version: string;
  prizes: Prize[];
  changed: () => void;
};
type Found = { title: string; result: RunResult };

/** A prize as a table has it, without what is only shown of it. */
const withoutChance = (shown: Prize): Prize => {
  const { chance_percent, chance_now_percent, stock_left, stock_left_today, ...prize } = shown;
  return prize as Prize;
};
const textOf = (version: string, prizes: Prize[]) => JSON.stringify({ version, prizes }, null, 2);

/** A draft of a game's table and cost: compared with what holds, simulated, and put in place. */
export function Draft({ org, game, cost, version, prizes: current, changed }: Props) {
  const [prizes, setPrizes] = useState(() => current.map(withoutChance));
  const [newCost, setNewCost] = useState(String(cost));
  const [json, setJson] = useState<string | undefined>();
  const [found, setFound] = useState<Found | undefined>();
  const [running, setRunning] = useState('');
  const file = json ?? textOf(version, prizes);
  const options = { org, game, file, cost: newCost };
  const run = async (title: string, verb: string, values: Options) => {
    setRunning(title);
    const result = await runCommand('game', verb, values).catch((error: Error) => ({
      exit_code: 1,
      message: error.message,
    }));
    setRunning('');
    setFound({ title, result });
  };
  const show = () => {
    if (json === undefined) return setJson(textOf(version, prizes));
    const parsed = prizesIn(json);
    if (!parsed)
      return setFound({
        title: 'Edit as rows',
        result: { exit_code: 1, message: 'This is not JSON with a list of prizes.' },
      });
    setPrizes(parsed);
    setJson(undefined);
  };
  return (
    <Part
      title="Draft"
      actions={
        <button type="button" class="quiet" onClick={show}>
          {json === undefined ? 'Edit as JSON' : 'Edit as rows'}
        </button>
      }
    >
      {json === undefined ? (
        <PrizeRows prizes={prizes} change={setPrizes} />
      ) : (
        <textarea
          class="code"
          rows={18}
          aria-label="The table as JSON"
          value={json}
          onInput={({ currentTarget }) => setJson(currentTarget.value)}
        />
      )}
      <div class="bar">
        <label>
          <span>Cost in tickets</span>
          <input
            type="number"
            min="0"
            value={newCost}
            onInput={({ currentTarget }) => setNewCost(currentTarget.value)}
          />
        </label>
        <button
          type="button"
          class="quiet"
          disabled={running !== ''}
          onClick={() => run('Compare', 'set', { ...options, 'dry-run': true })}
        >
          Compare
        </button>
        <button
          type="button"
          class="quiet"
          disabled={running !== ''}
          onClick={() => run('Simulate', 'simulate', { org, game, file, plays: '100000' })}
        >
          Simulate 100,000 plays
        </button>
        <Change
          noun="game"
          verb="set"
          label="Publish"
          kind="main"
          given={{ ...options, 'dry-run': false }}
          changed={changed}
        >
          <Preview options={options} />
          <p>
            From now on {labelOf(game)} is played by this draft, at this cost. Pages that are open keep what
            they showed.
          </p>
        </Change>
      </div>
      {running && (
        <p role="status" class="empty">
          Running…
        </p>
      )}
      {found && !running && <Finding found={found} />}
    </Part>
  );
}

function prizesIn(text: string): Prize[] | undefined {
  try {
    const { prizes } = JSON.parse(text) as { prizes?: Prize[] };
    return Array.isArray(prizes) ? prizes.map(withoutChance) : undefined;
  } catch {
    return undefined;
  }
}

function Finding({ found: { title, result } }: { found: Found }) {
  const { output, message } = result as { output?: Output; message?: string };
  if (output === undefined)
    return (
      <p class="bad" role="alert">
        {message}
      </p>
    );
  return (
    <div class="finding" role="status">
      <h3>{title}</h3>
      {title === 'Compare' ? (
        <Comparison output={output} />
      ) : (
        <OutputView name="Simulation" output={output} />
      )}
    </div>
  );
}
