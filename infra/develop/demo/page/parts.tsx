import type { Prize, UserAccount } from '../model.ts';
import { countText, prizeText, useTexts } from './language.ts';

export function Balance({ account }: { account: UserAccount }) {
  const { t } = useTexts();
  const { tickets, entries, winnings_usd } = account;
  const figures = {
    [t.winnings]: `$${winnings_usd}`,
    [t.entries.truck]: entries.truck,
    [t.entries.flight]: entries.flight,
  };
  return (
    <section class="ticket" aria-label={t.balance}>
      <p class="count">
        <b>{tickets}</b> {countText(t.ticket, tickets)}
      </p>
      <dl>
        {Object.entries(figures).map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ProblemText({ code }: { code: string | undefined }) {
  const { t } = useTexts();
  const texts: Record<string, string> = t.problems;
  return (
    <p class="problem" role="alert">
      {code && (texts[code] ?? texts.other)}
    </p>
  );
}

const [minCount, maxCount] = [1, 10];

export function Stepper({ value, set }: { value: number; set: (value: number) => void }) {
  const { t } = useTexts();
  return (
    <fieldset class="stepper">
      <legend>{t.free.count}</legend>
      <button
        type="button"
        aria-label={t.free.fewer}
        disabled={value === minCount}
        onClick={() => set(value - 1)}
      >
        −
      </button>
      <output>{value}</output>
      <button
        type="button"
        aria-label={t.free.more}
        disabled={value === maxCount}
        onClick={() => set(value + 1)}
      >
        +
      </button>
    </fieldset>
  );
}

export function Prizes({ title, prizes }: { title: string; prizes: Prize[] }) {
  const { t } = useTexts();
  return (
    <section aria-live="polite">
      {prizes.length > 0 && (
        <div class="stack">
          <h2>{title}</h2>
          <ul class="prizes">
            {prizes.map((prize, index) => (
              <li key={prizes.length - index}>{prizeText(t, prize)}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
