/** What several screens have. */
import type { Account, Prize } from '../shown.ts';
import { counted, fill, prizeText, useTexts } from './language.ts';

/** What a user has. */
export function Balance({ account }: { account: Account }) {
  const { t } = useTexts();
  const { tickets, entries, winnings_usd } = account;
  return (
    <section class="ticket" aria-label={t.balance}>
      <p class="count">
        <b>{tickets}</b> {counted(t.ticket, tickets)}
      </p>
      <dl>
        <div>
          <dt>{t.winnings}</dt>
          <dd>${winnings_usd}</dd>
        </div>
        <div>
          <dt>{t.entries.truck}</dt>
          <dd>{entries.truck}</dd>
        </div>
        <div>
          <dt>{t.entries.flight}</dt>
          <dd>{entries.flight}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Why something did not work, in words for the user; nothing without a code. */
export function Problem({ code }: { code: string | undefined }) {
  const { t } = useTexts();
  const texts: Record<string, string> = t.problems;
  return (
    <p class="problem" role="alert">
      {code && (texts[code] ?? texts.other)}
    </p>
  );
}

const [fewest, most] = [1, 10];

/** A number of spins to choose. */
export function Stepper({ value, set }: { value: number; set: (value: number) => void }) {
  const { t } = useTexts();
  return (
    <fieldset class="stepper">
      <legend>{t.free.count}</legend>
      <button
        type="button"
        aria-label={t.free.fewer}
        disabled={value === fewest}
        onClick={() => set(value - 1)}
      >
        −
      </button>
      <output>{value}</output>
      <button type="button" aria-label={t.free.more} disabled={value === most} onClick={() => set(value + 1)}>
        +
      </button>
    </fieldset>
  );
}

/** What was won, if anything was. */
export function Prizes({ title, prizes }: { title: string; prizes: Prize[] }) {
  const { t } = useTexts();
  return (
    <section aria-live="polite">
      {prizes.length > 0 && (
        <>
          <h2>{title}</h2>
          <ul class="prizes">
            {prizes.map((prize, index) => (
              <li key={prizes.length - index}>{prizeText(t, prize)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The cost of a game. */
export function Cost({ tickets }: { tickets: number }) {
  const { t } = useTexts();
  return <span class="cost">{counted(t.play.cost, tickets)}</span>;
}

/** A greeting by the first name. */
export const greeting = (text: string, name: string) => fill(text, { name: name.split(' ')[0]! });
