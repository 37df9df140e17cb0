import { prizeKinds } from '../../../../../shared/vocabulary.ts';
import { labelOf, percentText } from '../format.ts';
import { Scroller } from '../scroller.tsx';

/** A prize of a prize table. All other fields, such as `stock`, are numbers. */
export type Prize = {
  id: string;
  kind: string;
  amount: number;
  weight: number;
  label?: Record<string, string>;
  details?: Record<string, string>;
  [field: string]: unknown;
};

const texts = ['id', 'kind'] as const;
const numbers = ['amount', 'weight', 'value_usd', 'stock', 'stock_per_day'] as const;
const words = ['label', 'details'] as const;
const headOf = (name: string) => (name === 'value_usd' ? 'Value in USD' : labelOf(name));

export function PrizeRows({ prizes, change }: { prizes: Prize[]; change: (prizes: Prize[]) => void }) {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  const others = [...new Set(prizes.flatMap((prize) => Object.keys(prize)))].filter(
    (name) => ![...texts, ...numbers, ...words].includes(name as never),
  );
  const fields = [...numbers, ...others];
  const langs = [...new Set(prizes.flatMap(({ label = {} }) => Object.keys(label)))];
  const inLangs = words
    .filter((name) => prizes.some((prize) => prize[name]))
    .flatMap((name) => langs.map((lang) => ({ name, lang })));
  const set = (index: number, changes: Partial<Prize>) =>
    change(prizes.map((prize, at) => (at === index ? ({ ...prize, ...changes } as Prize) : prize)));
  const swap = (index: number) =>
    change(
      prizes.map((prize, at) =>
        at === index ? prizes[index - 1]! : at === index - 1 ? prizes[index]! : prize,
      ),
    );
  const add = () =>
    change([
      ...prizes,
      {
        id: `prize-${prizes.length + 1}`,
        kind: 'tickets',
        amount: 1,
        weight: 1,
        label: Object.fromEntries(langs.map((lang) => [lang, ''])),
      },
    ]);
  return (
    <Scroller kind="draft" label="Prizes in the draft">
      <table>
        <thead>
          <tr>
            {[...texts, ...fields].map((name) => (
              <th key={name} scope="col">
                {headOf(name)}
              </th>
            ))}
            <th scope="col" class="number">
              Chance
            </th>
            {inLangs.map(({ name, lang }) => (
              <th key={`${name} ${lang}`} scope="col">
                {labelOf(name)}, {lang}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Order</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {prizes.map((prize, index) => (
            <tr key={index}>
              <td>
                <input
                  aria-label={`ID of prize ${index + 1}`}
                  value={prize.id}
                  onInput={({ currentTarget }) => set(index, { id: currentTarget.value })}
                />
              </td>
              <td>
                <select
                  aria-label={`Kind of prize ${index + 1}`}
                  value={prize.kind}
                  onChange={({ currentTarget }) => set(index, { kind: currentTarget.value })}
                >
                  {prizeKinds.map((kind) => (
                    <option key={kind} value={kind}>
                      {labelOf(kind.replace(/^prize_/, ''))}
                    </option>
                  ))}
                </select>
              </td>
              {fields.map((name) => (
                <td key={name}>
                  <input
                    type="number"
                    min="0"
                    step={name === 'value_usd' ? 'any' : undefined}
                    aria-label={`${headOf(name)} of prize ${index + 1}`}
                    value={prize[name] === undefined ? '' : String(prize[name])}
                    onInput={({ currentTarget }) =>
                      set(index, {
                        [name]: currentTarget.value === '' ? undefined : Number(currentTarget.value),
                      })
                    }
                  />
                </td>
              ))}
              <td class="number">{total > 0 ? percentText((100 * prize.weight) / total) : '–'}</td>
              {inLangs.map(({ name, lang }) => (
                <td key={`${name} ${lang}`}>
                  <input
                    aria-label={`${labelOf(name)} in ${lang} of prize ${index + 1}`}
                    value={prize[name]?.[lang] ?? ''}
                    onInput={({ currentTarget }) =>
                      set(index, { [name]: { ...prize[name], [lang]: currentTarget.value } })
                    }
                  />
                </td>
              ))}
              <td class="order">
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Move prize ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => swap(index)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove prize ${index + 1}`}
                  onClick={() => change(prizes.filter((_, at) => at !== index))}
                >
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" class="quiet" onClick={add}>
        Add a prize
      </button>
    </Scroller>
  );
}
