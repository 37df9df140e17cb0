import { useState } from 'preact/hooks';
import type { RunResult } from '../../bridge.ts';
import { Change } from '../change.tsx';
import { type Output, runCommand } from '../commands.ts';
import { Part } from '../figure.tsx';
import { labelOf } from '../format.ts';
import { OutputView } from '../output.tsx';
import { type Prize, PrizeRows } from './prize-rows.tsx';

type Props = {
  org: string;
  game: string;
  cost: number;
  /** Publishing fails if another version is now in force. */
  version: string;
  prizes: Prize[];
  changed: () => void;
};

const withoutChance = (shown: Prize): Prize => {
  const { chance_percent, chance_now_percent, stock_left, stock_left_today, ...prize } = shown;
  return prize as Prize;
};

export function Draft({ org, game, cost, version, prizes: current, changed }: Props) {
  const [prizes, setPrizes] = useState(() => current.map(withoutChance));
  const [newCost, setNewCost] = useState(String(cost));
  const [shown, setShown] = useState<RunResult | undefined>();
  const [running, setRunning] = useState(false);
  const options = { org, game, file: JSON.stringify({ version, prizes }), cost: newCost };
  const preview = async () => {
    setRunning(true);
    const result = await runCommand('game', 'set', { ...options, 'dry-run': true }).catch((error: Error) => ({
      exit_code: 1,
      message: error.message,
    }));
    setRunning(false);
    setShown(result);
  };
  return (
    <Part title="Draft">
      <PrizeRows prizes={prizes} change={setPrizes} />
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
        <button type="button" class="quiet" disabled={running} onClick={preview}>
          Preview
        </button>
        <Change
          noun="game"
          verb="set"
          label="Publish"
          kind="main"
          preset={{ ...options, 'dry-run': false }}
          changed={changed}
        >
          <p>
            This table and cost take effect for {labelOf(game)} immediately. Play pages that are already open
            keep what they showed.
          </p>
        </Change>
      </div>
      {running && (
        <p role="status" class="empty">
          Running…
        </p>
      )}
      {shown && !running && <DraftResult result={shown} />}
    </Part>
  );
}

function DraftResult({ result }: { result: RunResult }) {
  const { output, message } = result as { output?: Output; message?: string };
  if (output === undefined)
    return (
      <p class="bad" role="alert">
        {message}
      </p>
    );
  return (
    <div class="finding" role="status">
      <h3>Preview</h3>
      <OutputView name="Preview" output={output} />
    </div>
  );
}
