import { hourText } from './format.ts';

/** The figures of one hour in the output of `report day`; `from` is its start as an ISO string. */
export type Hour = { from: string; regular: number; amoe: number; cash_usd: number };
type Series = 'regular' | 'amoe' | 'cash_usd';

const size = { width: 560, height: 170, bottom: 146 };
const labels: Record<Series, string> = { regular: 'Regular', amoe: 'AMOE', cash_usd: 'Cash' };

type Props = { title: string; hours: Hour[]; series: Series[]; text: (value: number) => string };

/** Chart of a day's hours, with the values of the series above each other. */
export function HourChart({ title, hours, series, text }: Props) {
  const sumOf = (hour: Hour, names: Series[]) => names.reduce((sum, name) => sum + hour[name], 0);
  const max = Math.max(1, ...hours.map((hour) => sumOf(hour, series)));
  const step = size.width / hours.length;
  const said = (values: (name: Series) => number) =>
    series.map((name) => `${text(values(name))} ${labels[name]}`).join(', ');
  return (
    <figure class="chart">
      <figcaption>
        {title}{' '}
        {series.map((name) => (
          <span key={name} class={`key ${name}`}>
            {labels[name]}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`${title}: ${said((name) => hours.reduce((sum, hour) => sum + hour[name], 0))}`}
      >
        <text y={12}>{text(max)}</text>
        {hours.map((hour, index) => (
          <g key={hour.from}>
            <title>{`${hourText(hour.from)}:00, ${said((name) => hour[name])}`}</title>
            {series.map((name, at) => (
              <rect
                key={name}
                class={name}
                x={index * step + 2}
                width={step - 4}
                y={size.bottom * (1 - sumOf(hour, series.slice(0, at + 1)) / max)}
                height={(size.bottom * hour[name]) / max}
              />
            ))}
            {index % 4 === 0 && (
              <text x={index * step} y={size.height - 6}>
                {hourText(hour.from)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}
